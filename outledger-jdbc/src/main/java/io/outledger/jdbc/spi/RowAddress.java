// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;

/**
 * How a database locks the rows of a query and finds them again in the same transaction. By a key,
 * a planner that does not know how a table has grown may read all of it for each row.
 *
 * @param skipLocked what follows a query whose rows are locked, those of others left out
 * @param address the address of a row of {@code p}, as a text
 * @param isAt the condition that finds the row at an address, its parameter
 */
public record RowAddress(String skipLocked, String address, String isAt) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public RowAddress {
    Require.nonNull("skipLocked", skipLocked);
    Require.nonNull("address", address);
    Require.nonNull("isAt", isAt);
  }
}
