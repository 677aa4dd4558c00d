// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import io.outledger.chaos.roles.ShopTables;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.Postgres;
import io.outledger.servers.PostgresBuilder;
import io.outledger.servers.SmallDisk;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The shop's database and the server that it is on, which may be replaced. One thread replaces it;
 * any may connect.
 */
public final class ShopDatabase implements AutoCloseable {

  private final @Nullable SmallDisk disk;
  private volatile Place place;

  private record Place(Postgres server, String name) {}

  ShopDatabase(@Nullable SmallDisk disk) throws SQLException {
    this.disk = disk;
    Postgres server = startServer();
    place = new Place(server, createIn(server));
  }

  /** Returns the server of the moment. */
  public Postgres server() {
    return place.server();
  }

  /** Returns the database's name there. */
  public String name() {
    return place.name();
  }

  /** Returns its URL over a line. */
  String urlOver(int port) {
    Place now = place;
    return now.server()
        .jdbcUrl(now.name())
        .replace(":" + now.server().port() + "/", ":" + port + "/");
  }

  /** Connects directly, over no line. */
  public Connection connect() throws SQLException {
    Place now = place;
    return now.server().connect(now.name());
  }

  /** Starts another server where this shop keeps its servers. */
  public Postgres startServer() {
    PostgresBuilder builder = Postgres.builder();
    if (disk != null) {
      // Old parts of the log would take the room of more than a million messages.
      builder.temporaryIn(disk.path()).setting("max_wal_size", "256MB");
    }
    return builder.start();
  }

  /** Makes a database with all tables, without messages. */
  public static String createIn(Postgres server) throws SQLException {
    String name = server.createDatabase();
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(server.jdbcUrl(name));
    PostgreSql.schema().apply(dataSource);
    try (Connection connection = server.connect(name)) {
      ShopTables.create(connection);
      Audit.create(connection);
    }
    return name;
  }

  /** Switches the shop to another server and closes the previous one. */
  void replace(Postgres server, String name) {
    Postgres old = place.server();
    place = new Place(server, name);
    old.close();
  }

  @Override
  public void close() {
    place.server().close();
  }
}
