// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.store.ServerIdentity;
import java.sql.SQLException;

/** A relay's session that knows who answers, and what the ledger's numbers were. */
public interface LedgerSession extends RelaySession {

  /** Returns who answers, asked now where that may change. */
  ServerIdentity server() throws SQLException;

  /** Returns what was noted of the ledger's numbers. */
  LedgerNumbers numbers();
}
