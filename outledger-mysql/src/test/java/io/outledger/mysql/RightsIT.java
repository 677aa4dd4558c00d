// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.sql.Sql;
import io.outledger.servers.Await;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** The rights that docs/databases.md grants are enough. */
class RightsIT {

  private static final Path PAGE = Path.of("..", "docs", "databases.md");
  private static final String OF_AN_EARLY_VERSION = "GRANT SELECT ON *.* TO 'relay'@'%'";
  private static final List<String> USERS = List.of("orders", "relay");

  @ParameterizedTest
  @EnumSource
  void oneUserAppendsAndAnotherOneRelaysAndPurges(ChangeFilesIT.On server)
      throws SQLException, IOException {
    try (TestDatabase database = server.open().withTables()) {
      String suffix = UUID.randomUUID().toString().substring(0, 8);
      grant(database, suffix);
      DataSource relay = as("relay" + suffix, database);
      Schema.of(relay).apply(relay); // what is there needs no right to make it
      RecordingPublisher publisher = new RecordingPublisher();
      try (Outledger relays = Outledger.builder(relay).build();
          Outledger writes =
              Outledger.builder(as("orders" + suffix, database)).withoutRetention().build()) {
        relays.relay("all").to(publisher).start();
        rollBack(writes, as("orders" + suffix, database));
        writes.outbox().inNewTransaction(order());
        Await.until(
            "the order is published, and the hole below it is gone",
            Duration.ofMinutes(1),
            () -> publisher.messages().size() == 1 && isNothingOpen(relays));
        assertThat(relays.retention().purgeMessages(Duration.ofDays(7))).isZero();
      }
    }
  }

  /** As it would stand still at the first hole. */
  @Test
  void relayOnAnEarlyVersionIsToldWhichRightItNeedsBesides() throws SQLException, IOException {
    try (TestDatabase database = TestDatabase.onMySql().withTables()) {
      String suffix = UUID.randomUUID().toString().substring(0, 8);
      grant(database, suffix);
      database.execute("REVOKE SELECT ON *.* FROM " + account("relay" + suffix));
      RelaySubscription all =
          new RelaySubscription(new CursorKey("all", 0), Start.EARLIEST, TestDatabase.LEASE);
      try (RelayStore store = database.database().relayStore(as("relay" + suffix, database), all)) {
        if (isEarly(database)) {
          assertThatThrownBy(store::look)
              .isInstanceOf(ConfigurationException.class)
              .hasMessageStartingWith("OUT-020")
              .hasMessageContaining("GRANT SELECT ON *.*");
        } else {
          assertThat(store.look()).isNotNull();
        }
      }
    }
  }

  private static boolean isEarly(TestDatabase database) {
    return database.text("SELECT VERSION()").equals("8.0.12");
  }

  private static Message order() {
    return Message.to("orders", "order.placed").build();
  }

  private static void rollBack(Outledger writes, DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      writes.outbox().append(connection, order());
      connection.rollback();
    }
  }

  private static boolean isNothingOpen(Outledger relays) {
    return relays.admin().subscriptions().stream()
        .allMatch(
            each -> each.cursor().high() > 0 && each.cursor().lowest() > each.cursor().high());
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
      if (isEarly(database)) {
        String besides = OF_AN_EARLY_VERSION.replace("'relay'@'%'", account("relay" + suffix));
        assertThat(Files.readString(PAGE)).contains(OF_AN_EARLY_VERSION);
        run(database, connection, besides);
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
