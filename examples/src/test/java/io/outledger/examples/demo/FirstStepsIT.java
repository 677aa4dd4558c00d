// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FirstStepsIT {

  private static final String KAFKA = "127.0.0.1:9092";

  @Test
  void linesAreThoseOfTheQuickStartsWithAddressesOfEmptyDatabases() throws Exception {
    try (Postgres postgres = Postgres.start()) {
      List<String> lines = FirstSteps.prepare(postgres, KAFKA).lines();

      String plain = theOnly(lines, "'(jdbc:[^']*)' " + KAFKA);
      assertThat(tables(DriverManager.getConnection(plain))).isZero();
      assertThat(lines)
          .contains(
              "    "
                  + commandOf("plain.md")
                      .replace("JDBC-URL", "'" + plain + "'")
                      .replace("KAFKA", KAFKA));
      String spring = theOnly(lines, "spring.datasource.url=(.*)");
      String user = theOnly(lines, "spring.datasource.username=(.*)");
      String password = theOnly(lines, "spring.datasource.password=(.*)");
      assertThat(spring).isNotEqualTo(plain);
      assertThat(tables(DriverManager.getConnection(spring, user, password))).isZero();
    }
  }

  private static String theOnly(List<String> lines, String pattern) {
    Pattern sought = Pattern.compile(pattern);
    List<String> found =
        lines.stream()
            .flatMap(line -> sought.matcher(line).results())
            .map((MatchResult match) -> match.group(1))
            .toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static String commandOf(String page) throws IOException {
    return Files.readAllLines(Path.of("..", "docs", page)).stream()
        .filter(line -> line.startsWith("java "))
        .findFirst()
        .orElseThrow();
  }

  private static int tables(Connection connection) throws SQLException {
    try (connection;
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")) {
      row.next();
      return row.getInt(1);
    }
  }
}
