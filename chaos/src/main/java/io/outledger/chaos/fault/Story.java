// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import java.sql.SQLException;

/** Does faults of one kind. */
@FunctionalInterface
interface Story {

  /**
   * Does it, and returns when the shop can go on.
   *
   * @param fault which of its faults
   * @param scene where
   * @throws SQLException where a database that should answer does not
   */
  Incident happen(Fault fault, Scene scene) throws SQLException;
}
