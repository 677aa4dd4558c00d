// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

/** What a file has to be like, and what a transaction that appends. */
class SqliteSettingsIT {

  @Test
  void databaseInMemoryIsRefused() {
    for (String url : new String[] {"jdbc:sqlite::memory:", "jdbc:sqlite:"}) {
      SQLiteDataSource dataSource = new SQLiteDataSource();
      dataSource.setUrl(url);
      assertThatThrownBy(() -> Schema.of(dataSource).apply(dataSource))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("OUT-020")
          .hasMessageContaining("name a file");
    }
  }

  @Test
  void rollbackJournalIsRefusedWithWhatToDo() throws SQLException {
    try (TestSqlite database = TestSqlite.create()) {
      database.execute("PRAGMA journal_mode = DELETE");
      assertThatThrownBy(() -> Outledger.builder(database.dataSource()).build())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("OUT-020")
          .hasMessageContaining("execute PRAGMA journal_mode = WAL");
    }
  }

  @Test
  void ledgerInAnAttachedFileIsRefused() throws SQLException {
    try (TestSqlite database = TestSqlite.create()) {
      assertThatThrownBy(() -> Schema.of(database.dataSource(), "other"))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("OUT-006");
    }
  }

  @Test
  void transactionThatReadBeforeAnotherOneWroteIsToldWhatToDo() throws SQLException {
    try (TestSqlite database = TestSqlite.create();
        Outledger outledger = Outledger.builder(database.dataSource()).build();
        Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      try (var statement = connection.createStatement();
          var row = statement.executeQuery("SELECT COUNT(*) FROM outledger_message")) {
        assertThat(row.next()).isTrue();
      }
      outledger.outbox().inNewTransaction(Message.to("t", "t").build());
      assertThatThrownBy(() -> outledger.outbox().append(connection, Message.to("t", "t").build()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("OUT-027")
          .hasMessageContaining("transaction_mode=IMMEDIATE");
      connection.rollback();
    }
  }

  /** As the system names them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "nfs4",
        "cifs",
        "9p",
        "fuse.sshfs",
        "virtiofs",
        "vboxsf",
        "vmhgfs",
        "fuse.vmhgfs-fuse",
        "fuse.grpcfuse",
        "fakeowner"
      })
  void placeThatAnotherMachineHasIsRefused(String type) throws SQLException {
    try (TestSqlite database = TestSqlite.create();
        Connection connection = database.connect()) {
      assertThatThrownBy(() -> SqliteSettings.check(connection, file -> type))
          .hasMessageStartingWith("OUT-020")
          .hasMessageContaining(type);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs", "overlay", "tmpfs", "apfs", "ntfs", ""})
  void placeOfThisMachineIsTaken(String type) throws SQLException {
    try (TestSqlite database = TestSqlite.create();
        Connection connection = database.connect()) {
      assertThatCode(() -> SqliteSettings.check(connection, file -> type))
          .doesNotThrowAnyException();
    }
  }
}
