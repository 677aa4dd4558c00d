// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.sql.Connection;

/**
 * The connection as the work of a transaction gets it: it cannot end the transaction, and is of no
 * use after its end.
 */
interface GuardedConnection extends Connection {

  /** Returns the transaction that it belongs to. */
  RunningTransaction running();
}
