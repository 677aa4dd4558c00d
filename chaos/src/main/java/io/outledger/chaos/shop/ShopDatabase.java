// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import io.outledger.chaos.database.DatabaseServer;
import io.outledger.chaos.database.MySqlServer;
import io.outledger.chaos.database.PostgresServer;
import io.outledger.chaos.database.Product;
import io.outledger.servers.Postgres;
import io.outledger.servers.PostgresBuilder;
import io.outledger.servers.SmallDisk;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The shop's database and the server that it is on, which may be replaced. One thread replaces it;
 * any may connect.
 */
public final class ShopDatabase implements AutoCloseable {

  private final Product product;
  private final @Nullable SmallDisk disk;
  private volatile Place place;

  private record Place(DatabaseServer server, String name) {}

  ShopDatabase(ShopPlan plan) throws SQLException {
    this.product = plan.product();
    this.disk = plan.disk();
    DatabaseServer server = startServer();
    place = new Place(server, Product.createShop(server));
  }

  /** Returns which database it is. */
  public Product product() {
    return product;
  }

  /** Returns the server of the moment. */
  public DatabaseServer server() {
    return place.server();
  }

  Postgres postgres() {
    if (place.server() instanceof PostgresServer server) {
      return server.postgres();
    }
    throw new IllegalStateException("this shop is on " + product.word());
  }

  /**
   * Returns the server of the moment.
   *
   * @throws IllegalStateException where it is neither MariaDB nor MySQL
   */
  public MySqlServer mySql() {
    if (place.server() instanceof MySqlServer server) {
      return server;
    }
    throw new IllegalStateException("this shop is on " + product.word());
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

  /** Returns a data source that leads directly to the server of the moment. */
  public DataSource dataSource() {
    Place now = place;
    return dataSource(now.server(), now.name());
  }

  /** Starts another server where this shop keeps its servers. */
  public DatabaseServer startServer() {
    return product == Product.POSTGRESQL
        ? new PostgresServer(startPostgres())
        : product.startServer();
  }

  private Postgres startPostgres() {
    PostgresBuilder builder = Postgres.builder();
    if (disk != null) {
      // Old parts of the log would take the room of more than a million messages.
      builder.temporaryIn(disk.path()).setting("max_wal_size", "256MB");
    }
    return builder.start();
  }

  private static DataSource dataSource(DatabaseServer server, String name) {
    return Product.dataSource(server.jdbcUrl(name), "shop");
  }

  /** Switches the shop to another server and closes the previous one. */
  void replace(DatabaseServer server, String name) {
    DatabaseServer old = place.server();
    place = new Place(server, name);
    old.close();
  }

  @Override
  public void close() {
    place.server().close();
  }
}
