// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.database;

import io.outledger.servers.KillableServer;
import java.sql.Connection;
import java.sql.SQLException;

/** A server of a shop's database, of whichever product, as durable as in production. */
public interface DatabaseServer extends KillableServer {

  /** Returns what it is called in reports, such as {@code mariadb}. */
  String name();

  /** Returns the port of 127.0.0.1 on which it listens. */
  int port();

  /** Stops its process by SIGSTOP. */
  void suspend();

  /** Lets its process go on by SIGCONT. */
  void resume();

  /** Makes an empty database and returns its name. */
  String createDatabase();

  /**
   * Dumps a database and restores it on another server of the same product.
   *
   * @return its name there
   */
  String restoredOn(DatabaseServer other, String database) throws SQLException;

  /** Returns the URL of a database, with user and password. */
  String jdbcUrl(String database);

  /** Connects to a database directly. */
  Connection connect(String database) throws SQLException;
}
