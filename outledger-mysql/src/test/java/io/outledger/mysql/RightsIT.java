// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.sql.Sql;
import io.outledger.servers.Await;
import io.outledger.testing.RecordingPublisher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** The rights that docs/databases.md grants are enough. */
class RightsIT {

  private static final Path PAGE = Path.of("..", "docs", "databases.md");
  private static final List<String> USERS = List.of("orders", "relay");

  @ParameterizedTest
  @EnumSource
  void oneUserAppendsAndAnotherOneRelaysAndPurges(ChangeFilesIT.On server)
      throws SQLException, IOException {
    try (TestDatabase database = server.open().withTables()) {
      String suffix = UUID.randomUUID().toString().substring(0, 8);
      grant(database, suffix);
      RecordingPublisher publisher = new RecordingPublisher();
      try (Outledger relays = Outledger.builder(as("relay" + suffix, database)).build();
          Outledger writes =
              Outledger.builder(as("orders" + suffix, database)).withoutRetention().build()) {
        relays.relay("all").to(publisher).start();
        writes.outbox().inNewTransaction(Message.to("orders", "order.placed").build());
        Await.until(
            "the order is published",
            Duration.ofSeconds(30),
            () -> publisher.messages().size() == 1);
        assertThat(relays.retention().purgeMessages(Duration.ofDays(7))).isZero();
      }
    }
  }

  private static void grant(TestDatabase database, String suffix) throws SQLException, IOException {
    List<String> grants =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("GRANT ")).toList();
    assertThat(grants).isNotEmpty();
    try (Connection connection = database.connect()) {
      for (String user : USERS) {
        run(database, connection, "CREATE USER " + account(user + suffix) + " IDENTIFIED BY 'p'");
      }
      for (String grant : grants) {
        String ours = grant.replace("shop.", "{schema}.").replace(";", "");
        for (String user : USERS) {
          ours = ours.replace("'" + user + "'@'%'", account(user + suffix));
        }
        run(database, connection, ours);
      }
    }
  }

  private static void run(TestDatabase database, Connection connection, String sql)
      throws SQLException {
    Sql.in(database.tables(), connection, sql).update();
  }

  private static String account(String user) {
    return "'" + user + "'@'127.0.0.1'";
  }

  private static DataSource as(String user, TestDatabase database) throws SQLException {
    String url = database.server().jdbcUrl(database.tables().schema());
    if (database.tables().product().equals(Product.MARIADB)) {
      MariaDbDataSource dataSource = new MariaDbDataSource(url);
      dataSource.setUser(user);
      dataSource.setPassword("p");
      return dataSource;
    }
    MysqlDataSource dataSource = new MysqlDataSource();
    dataSource.setUrl(url);
    dataSource.setUser(user);
    dataSource.setPassword("p");
    return dataSource;
  }
}
