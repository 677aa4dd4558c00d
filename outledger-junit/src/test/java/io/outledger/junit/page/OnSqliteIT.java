// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteDataSource;

/** On SQLite, a file for each test. */
class OnSqliteIT extends OnNamedIT {

  private static final AtomicInteger FILES = new AtomicInteger();

  @TempDir static Path folder;

  OnSqliteIT() {
    super(OnSqliteIT::empty);
  }

  private static DataSource empty() {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setTransactionMode(TransactionMode.IMMEDIATE);
    config.setBusyTimeout((int) Duration.ofSeconds(30).toMillis());
    SQLiteDataSource database = new SQLiteDataSource(config);
    database.setUrl("jdbc:sqlite:" + folder.resolve("kit" + FILES.incrementAndGet() + ".db"));
    return database;
  }
}
