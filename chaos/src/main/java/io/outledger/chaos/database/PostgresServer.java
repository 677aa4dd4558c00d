// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.database;

import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * PostgreSQL.
 *
 * @param postgres the server itself
 */
public record PostgresServer(Postgres postgres) implements DatabaseServer {

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public int port() {
    return postgres.port();
  }

  @Override
  public long pid() {
    return postgres.pid();
  }

  @Override
  public void kill() {
    postgres.kill();
  }

  @Override
  public void restart() {
    postgres.restart();
  }

  @Override
  public void suspend() {
    postgres.suspend();
  }

  @Override
  public void resume() {
    postgres.resume();
  }

  /** The dump is of rows, so the tables are made first. */
  @Override
  public String restoredOn(DatabaseServer other, String database) throws SQLException {
    String name = Product.createShop(other);
    ((PostgresServer) other).postgres.restore(name, postgres.dump(database));
    return name;
  }

  @Override
  public String createDatabase() {
    return postgres.createDatabase();
  }

  @Override
  public String jdbcUrl(String database) {
    return postgres.jdbcUrl(database);
  }

  @Override
  public Connection connect(String database) throws SQLException {
    return postgres.connect(database);
  }

  @Override
  public void close() {
    postgres.close();
  }
}
