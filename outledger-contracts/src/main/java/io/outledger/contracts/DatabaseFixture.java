// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.jdbc.spi.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * One empty database, without tables of ours. Opened for each test; used by several threads where
 * the data source is.
 */
public interface DatabaseFixture {

  /** Returns the promises, for the default schema. */
  Database database();

  /** Returns connections to the database; at least eight may be open at once. */
  DataSource dataSource();

  /**
   * Lets time pass by the database's clock: by waiting, or by moving what it is compared with.
   *
   * @param time at least this much; 1 s at most
   */
  void letPass(Duration time);

  /**
   * Runs a script of several statements, as a person's client would.
   *
   * @throws SQLException if the database refused one
   */
  default void run(String script) throws SQLException {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(script);
    }
  }

  /** Returns the statement that has a ledger without messages begin with position 1 again. */
  default String renumbering() {
    return "ALTER SEQUENCE outledger_message_position RESTART WITH 1";
  }

  /** Removes all messages, by whoever may; the ledger begins with position 1 again. */
  default void emptyLedger() {
    try {
      run("DELETE FROM outledger_message");
      run(renumbering());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns settings of a session that no transaction of ours may suffer from, or leave changed.
   */
  HostileSettings hostileSettings();

  /** Returns a name of a further schema; empty where the database has one schema alone. */
  default Optional<String> otherSchema() {
    return Optional.of("Apart_1");
  }

  /** How many transactions may have written at the same time. */
  enum Writers {
    /** Several, which wait for each other's rows alone. */
    SEVERAL,
    /** One: others wait for its end, and see nothing of it before, numbers included. */
    ONE
  }

  /** Returns how many transactions may have written at the same time. */
  default Writers writers() {
    return Writers.SEVERAL;
  }

  /**
   * Opens a connection whose transactions may not write; whoever closes it ends it.
   *
   * @return empty where the product has no such transactions
   */
  default Optional<Connection> readOnly() throws SQLException {
    Connection connection = dataSource().getConnection();
    connection.setReadOnly(true);
    return Optional.of(connection);
  }

  /** Says whether statements name the database, which is reached from any other of its server. */
  default boolean namesItsDatabase() {
    return false;
  }

  /**
   * Runs something and returns what this process has logged meanwhile: each entry beginning with
   * its level, from INFO on.
   */
  List<String> logOf(Runnable work);

  /** Ends what is open, and removes what was made. */
  void close() throws Exception;
}
