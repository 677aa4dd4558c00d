// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;

/** The error of a table whose rows the schema makes, and which somebody has emptied. */
public final class MissingRow {

  private MissingRow() {}

  /**
   * Returns the error.
   *
   * @param table the table's name, such as {@code outledger_retention}
   * @return an exception {@code OUT-003}
   * @throws ConfigurationException {@code OUT-021} if the name is null
   */
  public static ConfigurationException of(String table) {
    return new ConfigurationException(
        ErrorCode.SCHEMA_MISSING,
        "table "
            + Require.nonNull("table", table)
            + " has lost a row that the schema inserts: all tables were emptied, as between tests."
            + " Put it back with Schema.apply(dataSource); in tests, empty the tables with"
            + " Schema.emptyForTests(dataSource)");
  }
}
