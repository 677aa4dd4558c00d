// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** PostgreSQL, as durable as in production. */
record PostgresDemoDatabase(Postgres server) implements DemoDatabase {

  // It gives a transaction an id when it writes.
  private static final String HALF_DONE =
      """
      SELECT count(*) FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND backend_xid IS NOT NULL
      """;

  static DemoDatabase start() throws SQLException {
    Postgres server = Postgres.start();
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE orders");
      statement.execute("CREATE DATABASE inventory");
    }
    return new PostgresDemoDatabase(server);
  }

  @Override
  public String title() {
    return "PostgreSQL " + server.version();
  }

  @Override
  public String details() {
    return "databases orders and inventory, fsync on";
  }

  @Override
  public Map<String, String> settings(String name) {
    return Map.of(
        "database.url", "jdbc:postgresql://127.0.0.1:" + server.port() + "/" + name,
        "database.user", server.user(),
        "database.password", server.password());
  }

  @Override
  public Connection connect(String name) throws SQLException {
    return server.connect(name);
  }

  @Override
  public Columns columns() {
    return new TypedColumns();
  }

  @Override
  public Services services(Wiring wiring) {
    return new SeparateServices(wiring, new RelayPair(wiring));
  }

  @Override
  public List<Role> roles(Ledger orders, Ledger inventory) {
    DatabaseRole.HalfDone halfDone = () -> orders.database().number(HALF_DONE);
    return List.of(new DatabaseRole("postgresql", server, halfDone, orders, inventory));
  }

  @Override
  public String command(String name, String sql) {
    return "PGPASSWORD=%s psql -h 127.0.0.1 -p %d -U %s %s -c '%s'"
        .formatted(server.password(), server.port(), server.user(), name, sql);
  }

  @Override
  public Optional<Postgres> postgres() {
    return Optional.of(server);
  }

  @Override
  public void close() {
    server.close();
  }
}
