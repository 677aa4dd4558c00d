// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.store.CursorRow;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.RelayStore;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a relay has, as it says in the database. Used by the relay's thread. */
final class OwnDeclarations {

  private final RelayStore store;
  private final Declaring declaring;
  private final RelayContext context;
  private boolean declared;
  private @Nullable UUID offeredTo;

  OwnDeclarations(RelayStore store, Declaring declaring, RelayContext context) {
    this.store = store;
    this.declaring = declaring;
    this.context = context;
  }

  Declaring all() {
    return declaring;
  }

  /** Declares them over another store, on any thread, before the relay takes its first step. */
  void declareOver(RelayStore other) {
    try {
      other.declare(declaring);
    } catch (ConfigurationException | StoreException e) {
      if (e.code() != ErrorCode.STORE_UNAVAILABLE) { // else nobody could be told by the database
        context.listener().on(new RelayEvent.Refused(String.valueOf(e.getMessage())));
      }
      throw e;
    }
  }

  /** Declares them, once. */
  void declare() {
    if (!declared) {
      store.declare(declaring);
      declared = true;
    }
  }

  /** Declares them once more next time: who answers then may have been restored. */
  void forget() {
    declared = false;
  }

  /** Declares again what somebody has ended, as by replacing it, while this relay has it. */
  void keep() {
    Set<Declaration> ended = declaring.endedIn(store.declarations());
    if (!ended.isEmpty()) {
      store.declare(declaring.again());
      context.listener().on(new RelayEvent.DeclaredAgain(ended));
    }
  }

  /** Returns whether the last owner has given the lease back for something that this relay has. */
  boolean hasWhatLacked(CursorRow row) {
    return row.released() && row.lacking().stream().anyMatch(declaring.has()::contains);
  }

  /** Lets an owner know, once, that this relay has what it lacks. */
  void offer(CursorRow row) {
    Set<Declaration> has = new LinkedHashSet<>(row.lacking());
    has.removeIf(lacked -> !declaring.has().contains(lacked));
    if (!row.released() && !has.isEmpty() && !row.incarnation().equals(offeredTo)) {
      store.declareAgain(has);
      offeredTo = row.incarnation();
    }
  }
}
