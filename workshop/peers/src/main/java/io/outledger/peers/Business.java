// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.sql.Connection;
import java.sql.SQLException;

/** What an application does in a transaction besides sending messages. Thread-safe. */
@FunctionalInterface
interface Business {

  /** Nothing but messages. */
  Business NONE = connection -> {};

  void run(Connection connection) throws SQLException;
}
