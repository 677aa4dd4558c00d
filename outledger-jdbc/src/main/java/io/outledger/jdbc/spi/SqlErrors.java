// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import java.sql.SQLException;

/** A database's one table of error classes. Thread-safe. */
public interface SqlErrors {

  /**
   * Returns the class of a failure. Never fails, and looks at nothing but the exception; one that
   * the database's driver did not make, such as a pool's, has a class too.
   */
  ErrorClass classOf(SQLException failure);
}
