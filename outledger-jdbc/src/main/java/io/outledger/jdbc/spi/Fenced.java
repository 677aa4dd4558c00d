// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * What else a move or a deletion of a subscription does in its transaction, once no owner of it can
 * save any more, and before anything that is parked is removed: what is counted then is what is
 * there.
 */
@FunctionalInterface
public interface Fenced {

  /** Nothing else. */
  Fenced NOTHING = transaction -> {};

  /** Does it. */
  void then(Connection transaction) throws SQLException;
}
