// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.database;

import io.outledger.servers.InnoDbReplica;
import io.outledger.servers.InnoDbServer;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * MariaDB or MySQL, with a binary log.
 *
 * @param name which of them
 * @param server the server itself
 */
public record MySqlServer(String name, InnoDbServer server) implements DatabaseServer {

  /** The audit puts all holes of a cursor into one text. */
  static final String[] SETTINGS = {
    "--group-concat-max-len=16777216", "--log-bin=binlog", "--binlog-format=ROW"
  };

  /** Starts a replica of a database, which has everything that is committed from now on. */
  public InnoDbReplica replica(String database) throws SQLException {
    return InnoDbReplica.of(server, server.another(SETTINGS), database);
  }

  /** Returns a server that has its user and its password. */
  public MySqlServer replacedBy(InnoDbServer other) {
    return new MySqlServer(name, other);
  }

  @Override
  public String restoredOn(DatabaseServer other, String database) throws SQLException {
    String name = other.createDatabase();
    ((MySqlServer) other).server.load(server.dump(database), name);
    return name;
  }

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
        .formatted(server.jdbcUrl(database), server.application(), server.password());
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
