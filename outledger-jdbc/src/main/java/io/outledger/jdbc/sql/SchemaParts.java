// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.LedgerSchema;
import io.outledger.jdbc.spi.OperatorTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** What a database has of its own for its {@link LedgerSchema}. Thread-safe. */
public interface SchemaParts {

  /**
   * A database's texts.
   *
   * @param scripts the names of the scripts beside the class of these parts, one for each version
   * @param versions makes the table outledger_schema, of the columns version and applied_at
   * @param recorded inserts a version, which <code>%1$s</code> stands for, into that table
   * @param emptied the tables that hold messages, or anything of messages, without the ledger
   */
  record Texts(List<String> scripts, String versions, String recorded, List<String> emptied) {}

  /** Returns the parts of a script that one execution of a statement takes, in order. */
  List<String> executed(String script);

  /**
   * Returns the statements of a script that has been applied which repair what a dump has brought
   * from elsewhere, or what lost the user that made it; none where it is as the script makes it. So
   * whoever applies again what is there needs no right to make it.
   */
  default List<String> repairs(Connection connection, String script) throws SQLException {
    return List.of();
  }

  /**
   * Checks that the views which a script makes read the tables beside them, which a database sees
   * to by itself unless the text of a view names its schema. It judges no view of others.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-003} if one reads others
   */
  default void requireViews(Connection connection, String script) throws SQLException {}

  /** Returns the texts. */
  Texts texts();

  /** Returns the transactions in which the schema is looked at and emptied. */
  OperatorTransactions transactions(DataSource dataSource);

  /** Returns the transactions in which it is applied: of two of them one waits for the other. */
  OperatorTransactions applying(DataSource dataSource);

  /**
   * Checks that the database is set up in a way that is supported.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-020} if it is not
   */
  void checkServer(Connection connection) throws SQLException;

  /** Returns whether a table is in the schema. */
  boolean isThere(Connection connection, String table) throws SQLException;

  /** Returns whether all tables are there though none says so: somebody has emptied them all. */
  boolean isEmptied(Connection connection) throws SQLException;

  /** Returns what makes the schema itself, as it is printed before all else. */
  default String schemaText() {
    return "CREATE SCHEMA IF NOT EXISTS {schema};\n\n";
  }

  /** Makes the schema itself where it is not there. */
  void makeSchema(Connection connection) throws SQLException;

  /** Puts back rows that the scripts insert, where they are missing. */
  void restoreRows(Connection connection) throws SQLException;

  /**
   * Checks that nobody has removed rows that the scripts insert. A user who only writes messages
   * does not work with them, and may not read them.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-003} if one is missing
   */
  void requireRows(Connection connection) throws SQLException;
}
