// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.sql.Sql;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.testing.RecordingPublisher;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteDataSource;

/** The data source that docs/databases.md shows appends and publishes. */
class DatabasesPageIT {

  @TempDir private Path folder;

  private static SQLiteDataSource documented() {
    var config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setTransactionMode(TransactionMode.IMMEDIATE);
    config.setBusyTimeout(30_000);
    var dataSource = new SQLiteDataSource(config);
    dataSource.setUrl("jdbc:sqlite:shop.db");
    return dataSource;
  }

  /** In transactions that read first, while a relay writes its cursor. */
  @Test
  void messagesArePublishedFromANewFile() throws SQLException {
    SQLiteDataSource dataSource = documented();
    dataSource.setUrl("jdbc:sqlite:" + folder.resolve("shop.db"));
    RecordingPublisher publisher = new RecordingPublisher();
    Schema.of(dataSource).apply(dataSource);
    try (Outledger outledger = Outledger.builder(dataSource).build();
        RunningRelay relay = outledger.relay("orders").to(publisher).start()) {
      for (int i = 1; i <= 50; i++) {
        place(outledger, dataSource, "o-" + i);
      }
      Await.until(
          () -> "50 orders are published, now " + publisher.messages().size(),
          Duration.ofSeconds(30),
          () -> publisher.messages().size() >= 50);
      assertThat(relay.state()).isNotNull();
    }
  }

  private static void place(Outledger outledger, SQLiteDataSource dataSource, String order)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      assertThat(Sql.of(connection, "SELECT COUNT(*) FROM outledger_schema").number()).isOne();
      outledger
          .outbox()
          .append(connection, Message.to("orders", "order.placed").key(order).build());
      connection.commit();
    }
  }
}
