// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.sql.SQLException;

/** What an outbox carries that has been in use, or whose database is in somebody's way. */
enum EntrantBurden {
  NONE("fresh", "fresh"),

  /** Messages that have been published, and which it keeps. */
  SETTLED("settled messages behind it", "settled"),

  /** Somebody's snapshot, so that nothing which is deleted meanwhile can be cleaned away. */
  SNAPSHOT("a snapshot held open", "snapshot"),

  /** A transaction that has written and stays open, beside others of which a tenth rolls back. */
  WRITER("a writer open beside 10 % roll-backs", "writer");

  private final String label;
  private final String brief;

  EntrantBurden(String label, String brief) {
    this.label = label;
    this.brief = brief;
  }

  String label() {
    return label;
  }

  /** Returns a word for it. */
  String brief() {
    return brief;
  }

  /** Whether an entrant can have it at all. */
  boolean isCarriedBy(Entrant entrant) {
    return this != SETTLED || SettledMessages.areKeptBy(entrant.product());
  }

  /** Begins what is held open meanwhile, if anything is. */
  void hold(HeldTransaction held, Product product) throws SQLException {
    if (this == SNAPSHOT) {
      held.read();
    } else if (this == WRITER) {
      held.write(product);
    }
  }

  /** Returns what is lost between the transactions that commit. */
  Transactions.Losses losses(DoomedOrder doomed) {
    return this == WRITER ? doomed::lose : Transactions.Losses.NONE;
  }
}
