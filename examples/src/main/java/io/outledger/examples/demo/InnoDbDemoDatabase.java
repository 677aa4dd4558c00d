// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.InnoDbServer;
import io.outledger.servers.MariaDb;
import io.outledger.servers.MySql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/**
 * MariaDB or MySQL, as durable as in production.
 *
 * @param name of the process
 * @param title its name and version
 * @param server the server
 */
record InnoDbDemoDatabase(String name, String title, InnoDbServer server) implements DemoDatabase {

  private static final String HALF_DONE =
      "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_rows_modified > 0";

  static DemoDatabase mariaDb() throws SQLException {
    return prepare("mariadb", MariaDb.start());
  }

  static DemoDatabase mySql() throws SQLException {
    return prepare("mysql", MySql.start());
  }

  private static DemoDatabase prepare(String name, InnoDbServer server) throws SQLException {
    try (Connection connection = server.connect("mysql");
        Statement statement = connection.createStatement()) {
      // A customer may have any name, and one that differs in case alone is another customer.
      String texts = " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";
      statement.execute("CREATE DATABASE orders" + texts);
      statement.execute("CREATE DATABASE inventory" + texts);
      return new InnoDbDemoDatabase(name, DemoDatabases.title(connection), server);
    }
  }

  @Override
  public String details() {
    return "databases orders and inventory, fsync on";
  }

  @Override
  public Map<String, String> settings(String database) {
    return Map.of(
        "database.url", server.jdbcUrl(database),
        "database.user", server.user(),
        "database.password", server.password());
  }

  @Override
  public Connection connect(String database) throws SQLException {
    return server.connect(database);
  }

  /** Times are UTC, whatever the time zone of a session is. */
  @Override
  public Columns columns() {
    return new PlainColumns((row, column) -> InnoDbServer.utc(row, row.findColumn(column)));
  }

  @Override
  public Services services(Wiring wiring) {
    return new SeparateServices(wiring, new RelayPair(wiring));
  }

  @Override
  public List<Role> roles(Ledger orders, Ledger inventory) {
    DatabaseRole.HalfDone halfDone = () -> halfDone(orders.database());
    return List.of(new DatabaseRole(name, server, halfDone, orders, inventory));
  }

  /** The server shows the same list again as long as it is asked for more often than each 0.1 s. */
  private static long halfDone(Database database) throws SQLException {
    database.number("SELECT SLEEP(0.12)");
    return database.number(HALF_DONE);
  }

  @Override
  public String command(String database, String sql) {
    return "MYSQL_PWD=%s mysql -h 127.0.0.1 -P %d -u %s %s -e '%s'"
        .formatted(server.password(), server.port(), server.user(), database, sql);
  }

  @Override
  public void close() {
    server.close();
  }
}
