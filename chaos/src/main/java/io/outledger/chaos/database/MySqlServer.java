// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.database;

import io.outledger.servers.InnoDbServer;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * MariaDB or MySQL.
 *
 * @param name which of them
 * @param server the server itself
 */
record MySqlServer(String name, InnoDbServer server) implements DatabaseServer {

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public long pid() {
    return server.pid();
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public void suspend() {
    server.suspend();
  }

  @Override
  public void resume() {
    server.resume();
  }

  @Override
  public String createDatabase() {
    return server.createDatabase();
  }

  /** Both drivers take these names, and a time in milliseconds. */
  @Override
  public String jdbcUrl(String database) {
    return "%s?user=%s&password=%s&connectTimeout=2000"
        .formatted(server.jdbcUrl(database), server.user(), server.password());
  }

  @Override
  public Connection connect(String database) throws SQLException {
    return server.connect(database);
  }

  @Override
  public void close() {
    server.close();
  }
}
