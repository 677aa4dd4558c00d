// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A server that replicates a database of another one by its binary log, from a dump on. It is read
 * only, which does not hold who may do everything. Not thread-safe.
 */
public final class InnoDbReplica implements AutoCloseable {

  private static final int PATIENCE_S = 120;

  private final InnoDbServer primary;
  private final InnoDbServer server;

  private InnoDbReplica(InnoDbServer primary, InnoDbServer server) {
    this.primary = primary;
    this.server = server;
  }

  /** A place in the binary log. */
  private record Place(String file, long position) {}

  /**
   * Has a server replicate a database. Nobody can commit while that is dumped.
   *
   * @param primary has a binary log
   * @param server an empty one, of which this takes care now
   * @param database which, by the same name on both
   * @return the replica, which need not have caught up
   * @throws SQLException if one of them refuses
   */
  public static InnoDbReplica of(InnoDbServer primary, InnoDbServer server, String database)
      throws SQLException {
    InnoDbDump dump;
    Place place;
    try (Connection connection = locked(primary)) {
      place = place(primary, connection);
      dump = primary.dump(database);
    }
    try (Connection connection = server.connect("mysql")) {
      execute(connection, "CREATE DATABASE " + database);
      server.load(dump, database);
      execute(
          connection,
          server.replicating(
              """
              CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = %d, MASTER_USER = '%s',
                MASTER_PASSWORD = '%s', MASTER_LOG_FILE = '%s', MASTER_LOG_POS = %d,
                MASTER_CONNECT_RETRY = 1, {options}\
              """
                  .formatted(
                      primary.port(),
                      primary.user(),
                      primary.password(),
                      place.file(),
                      place.position())));
      execute(connection, server.replicating("START SLAVE"));
      execute(connection, "SET GLOBAL read_only = ON");
    }
    return new InnoDbReplica(primary, server);
  }

  /**
   * The replica's server.
   *
   * @return it, with the user and the password of the one that it replicates
   */
  public InnoDbServer server() {
    return server;
  }

  /**
   * Says what has stopped it, as a change that somebody has made on it would.
   *
   * @return the error; empty where it replicates
   * @throws SQLException if it does not answer
   */
  public String error() throws SQLException {
    try (Connection connection = server.connect("mysql");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(server.replicating("SHOW SLAVE STATUS"))) {
      return row.next() ? row.getString("Last_SQL_Error") + row.getString("Last_IO_Error") : "";
    }
  }

  /**
   * Waits until it has all that was committed before this was called.
   *
   * @throws SQLException if one of them does not answer, or it does not catch up in two minutes
   */
  public void catchUp() throws SQLException {
    try (Connection connection = primary.connect("mysql")) {
      catchUp(place(primary, connection));
    }
  }

  private void catchUp(Place place) throws SQLException {
    String wait =
        server.replicating(
            "SELECT MASTER_POS_WAIT('%s', %d, %d)"
                .formatted(place.file(), place.position(), PATIENCE_S));
    try (Connection connection = server.connect("mysql");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(wait)) {
      row.next();
      if (row.getLong(1) < 0 || row.wasNull()) {
        throw new SQLException("the replica does not catch up: " + error());
      }
    }
  }

  /**
   * Has it take the place of the one that it replicates: nobody can commit there any more, it
   * catches up, takes writes, and the other is killed, so nothing that was committed is missing.
   *
   * @return the server, which replicates nothing any more and which the caller closes
   * @throws SQLException if one of them refuses
   */
  public InnoDbServer takeOver() throws SQLException {
    try (Connection locking = locked(primary)) {
      catchUp(place(primary, locking));
      try (Connection connection = server.connect("mysql")) {
        execute(connection, server.replicating("STOP SLAVE"));
        execute(connection, server.replicating("RESET SLAVE ALL"));
        execute(connection, "SET GLOBAL read_only = OFF");
      }
      primary.kill();
      locking.abort(Runnable::run); // there is nobody to say good-bye to
    }
    return server;
  }

  /** Returns a connection that lets nobody commit as long as it is open. */
  private static Connection locked(InnoDbServer primary) throws SQLException {
    Connection connection = primary.connect("mysql");
    execute(connection, "FLUSH TABLES WITH READ LOCK");
    return connection;
  }

  private static Place place(InnoDbServer primary, Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(primary.replicating("SHOW MASTER STATUS"))) {
      if (!row.next()) {
        throw new SQLException("there is no binary log to replicate");
      }
      return new Place(row.getString(1), row.getLong(2));
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Stops and deletes the replica. */
  @Override
  public void close() {
    server.close();
  }
}
