// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.examples.shop.ShopInOneProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * SQLite: two files, which the services' process writes and others may read meanwhile.
 *
 * @param title its name and version
 * @param folder where the files are; whoever made it deletes it
 */
record SqliteDemoDatabase(String title, Path folder) implements DemoDatabase {

  // As docs/databases.md advises.
  private static final String SETTINGS =
      "?journal_mode=WAL&transaction_mode=IMMEDIATE&busy_timeout=30000";

  static DemoDatabase start(Path folder) throws SQLException {
    return new SqliteDemoDatabase(DemoDatabases.title("jdbc:sqlite::memory:"), folder);
  }

  @Override
  public String details() {
    return "files orders.db and inventory.db, WAL";
  }

  @Override
  public Map<String, String> settings(String name) {
    return Map.of(
        "database.url", "jdbc:sqlite:" + file(name) + SETTINGS,
        "database.user", "",
        "database.password", "");
  }

  @Override
  public Connection connect(String name) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file(name) + SETTINGS);
  }

  /** Times are microseconds since 1970. */
  @Override
  public Columns columns() {
    return new PlainColumns(
        (row, column) -> Instant.EPOCH.plus(row.getLong(column), ChronoUnit.MICROS));
  }

  @Override
  public Services services(Wiring wiring) {
    return new ServicesInOneProcess(wiring, ShopInOneProcess.class);
  }

  @Override
  public List<Role> roles(Ledger orders, Ledger inventory) {
    return List.of();
  }

  @Override
  public String command(String name, String sql) {
    return "sqlite3 %s '%s'".formatted(file(name), sql);
  }

  @Override
  public void close() {}

  private Path file(String name) {
    return folder.resolve(name + ".db");
  }
}
