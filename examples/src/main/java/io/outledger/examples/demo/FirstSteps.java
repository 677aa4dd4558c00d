// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * What a reader pastes to run the programs of the two quick starts, each on an empty database.
 *
 * @param postgres the server with their databases
 * @param kafka where Kafka's clients connect; it has the empty topic {@link #TOPIC}
 */
record FirstSteps(Postgres postgres, String kafka) {

  /** The topic of both quick starts. */
  static final String TOPIC = "orders";

  private static final String PLAIN = "plain";
  private static final String SPRING = "shop";

  /** Makes the two databases. */
  static FirstSteps prepare(Postgres postgres, String kafka) throws SQLException {
    try (Connection connection = postgres.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + PLAIN);
      statement.execute("CREATE DATABASE " + SPRING);
    }
    return new FirstSteps(postgres, kafka);
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("Your own first program, with an empty database and an empty topic " + TOPIC + ":");
    lines.add("");
    lines.add("  In plain Java: docs/plain.md");
    lines.add(
        "    java -Dorg.slf4j.simpleLogger.log.org.apache.kafka=warn"
            + " -cp \"target/classes:$(cat class-path)\" PlaceOrder '"
            + postgres.jdbcUrl(PLAIN)
            + "' "
            + kafka);
    lines.add("");
    lines.add("  With Spring Boot: docs/spring.md. Its table");
    lines.add(
        "    PGPASSWORD=%s psql -h 127.0.0.1 -p %d -U %s %s"
                .formatted(postgres.password(), postgres.port(), postgres.user(), SPRING)
            + " -c 'CREATE TABLE orders (id VARCHAR(64) PRIMARY KEY, cents INT NOT NULL)'");
    lines.add("  and its application.properties");
    lines.add(
        "    spring.datasource.url=jdbc:postgresql://127.0.0.1:" + postgres.port() + "/" + SPRING);
    lines.add("    spring.datasource.username=" + postgres.user());
    lines.add("    spring.datasource.password=" + postgres.password());
    lines.add("    spring.kafka.bootstrap-servers=" + kafka);
    lines.add("    outledger.schema-initialization=always");
    lines.add("");
    lines.add("  What your programs have published");
    lines.add("    ./outledger topic " + kafka + " " + TOPIC);
    lines.add("");
    return lines;
  }
}
