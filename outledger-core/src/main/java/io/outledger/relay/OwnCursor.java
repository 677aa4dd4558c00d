// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.reading.Progress;
import io.outledger.store.Declaration;
import io.outledger.store.KnownMessage;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.ParkedChange;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.ServerIdentity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A subscription's cursor, as its owner has it: the newest row, which the owner alone may follow
 * with the next one, on the server that granted the lease. A row of somebody else, or an answer of
 * another server, ends the ownership.
 */
final class OwnCursor {

  private final RelayStore store;
  private final UUID incarnation;
  private final ServerIdentity server;
  private long n;

  OwnCursor(RelayStore store, UUID incarnation, LeaseGrant grant) {
    this.store = store;
    this.incarnation = incarnation;
    this.server = grant.server();
    this.n = grant.n();
  }

  UUID incarnation() {
    return incarnation;
  }

  /** Returns the server that granted the lease. */
  ServerIdentity server() {
    return server;
  }

  /** Returns the number of the newest row. */
  long n() {
    return n;
  }

  /** Returns what has ended the ownership, by a page that was just read; empty while it holds. */
  Optional<String> endedBy(Page page) {
    Optional<String> strange = endedBy(page.server());
    if (strange.isPresent()) {
      return strange;
    }
    return page.newest() == n ? Optional.empty() : Optional.of("another relay took the lease");
  }

  /** The same by the server that has answered. */
  Optional<String> endedBy(ServerIdentity answered) {
    if (answered.equals(server)) {
      return Optional.empty();
    }
    return Optional.of(
        answered.server().equals(server.server())
            ? "the ledger was emptied, restored or renumbered"
            : "a different server answered");
  }

  /**
   * What a row holds of a frontier.
   *
   * @param frontier it may omit positions of the overflow
   * @param overflowBefore the open positions that are stored beside the row so far
   * @param overflow those that are to be stored there from now on
   * @param known the last message that was read; null where none was
   */
  record Place(
      Frontier frontier,
      Positions overflowBefore,
      Positions overflow,
      @Nullable KnownMessage known) {}

  /**
   * Follows the row with the next one, and so renews the lease.
   *
   * @param lease how long from now; zero to give it back
   * @param overflow what of the open positions changes beside the row
   * @param lacking what is declared and this relay does not have
   * @return empty where that was not the newest row any more, or on a different server; nothing was
   *     saved
   */
  Optional<SaveOutcome.Saved> save(
      Duration lease,
      Progress progress,
      Positions overflow,
      List<ParkedChange> changes,
      Set<Declaration> lacking) {
    Place place = new Place(progress.toSave(), progress.overflow(), overflow, progress.known());
    return save(lease, place, changes, lacking);
  }

  /** The same with a place that is not a relay's. */
  Optional<SaveOutcome.Saved> save(
      Duration lease, Place place, List<ParkedChange> changes, Set<Declaration> lacking) {
    SaveOutcome outcome =
        store.save(
            new Save(
                n,
                incarnation,
                server,
                lease,
                place.frontier(),
                place.overflowBefore(),
                place.overflow(),
                changes,
                place.known(),
                lacking));
    if (outcome instanceof SaveOutcome.Saved saved) {
      n++;
      return Optional.of(saved);
    }
    return Optional.empty();
  }
}
