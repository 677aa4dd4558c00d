// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;

/** The states of a message's row in one route; {@link ParkedRows} has the transitions. */
enum RowState {
  /** There is no row: it comes from the ledger, or has come to its end. */
  NONE,
  /** It waits until it is tried again. */
  RETRYING,
  /** It waits for the end of a pause, or for an instance that handles it. */
  UNTIL_RESUMED,
  /** It waits behind a row of its key. */
  HELD,
  /** A dead letter: it waits for an operator. */
  DEAD,
  /** It was brought back, and is on its way through the route. */
  UNDERWAY;

  static RowState of(ParkedState state) {
    return switch (state) {
      case RETRYING -> RETRYING;
      case HELD -> HELD;
      case DEAD -> DEAD;
    };
  }

  static RowState of(ParkedFailure failure) {
    return failure.isUntilResumed() ? UNTIL_RESUMED : of(failure.state());
  }

  /** Returns whether the rows held behind it wait until it is brought back. */
  boolean isWaitedFor() {
    return this == RETRYING || this == UNTIL_RESUMED || this == DEAD;
  }

  /** Returns whether it ends a row's way, so that there is one row less to work off. */
  boolean isEnd() {
    return this == NONE || this == DEAD;
  }
}
