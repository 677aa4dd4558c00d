// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.servers.InnoDbServer;
import io.outledger.servers.MariaDb;
import io.outledger.servers.MySql;
import io.outledger.testing.RecordingPublisher;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;

/** The data sources that docs/databases.md shows append and publish. */
class DatabasesPageIT {

  private static MariaDbDataSource ofMariaDb() throws SQLException {
    var dataSource = new MariaDbDataSource();
    dataSource.setUrl("jdbc:mariadb://localhost:3306/shop"); // or your pool
    return dataSource;
  }

  private static MysqlDataSource ofMySql() {
    var dataSource = new MysqlDataSource();
    dataSource.setUrl("jdbc:mysql://localhost:3306/shop"); // or your pool
    return dataSource;
  }

  @Test
  void messageIsPublishedFromMariaDb() throws SQLException {
    InnoDbServer server = MariaDb.shared();
    MariaDbDataSource dataSource = ofMariaDb();
    dataSource.setUrl(server.jdbcUrl(server.createDatabase()));
    dataSource.setUser(server.user());
    dataSource.setPassword(server.password());
    messageIsPublished(dataSource);
  }

  @Test
  void messageIsPublishedFromMySql() {
    InnoDbServer server = MySql.shared();
    MysqlDataSource dataSource = ofMySql();
    dataSource.setUrl(server.jdbcUrl(server.createDatabase()));
    dataSource.setUser(server.user());
    dataSource.setPassword(server.password());
    messageIsPublished(dataSource);
  }

  private static void messageIsPublished(DataSource dataSource) {
    RecordingPublisher publisher = new RecordingPublisher();
    Schema.of(dataSource).apply(dataSource);
    try (Outledger outledger = Outledger.builder(dataSource).build();
        RunningRelay relay = outledger.relay("orders").to(publisher).start()) {
      outledger
          .transactions()
          .run(
              connection ->
                  outledger
                      .outbox()
                      .append(connection, Message.to("orders", "order.placed").key("o-1").build()));
      Await.until(
          "the order is published",
          Duration.ofSeconds(30),
          () -> publisher.messages().stream().anyMatch(each -> "o-1".equals(each.key())));
      assertThat(relay.state()).isNotNull();
    }
  }
}
