// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Require;
import io.outledger.frontier.Frontier;
import io.outledger.store.KnownMessage;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the frontiers of slots are kept by whoever pulls, in one transaction with what was pulled:
 * so it tells what has arrived, and the cursor's row is only its mirror. Called by the thread that
 * pulls.
 */
public interface PullJournal {

  /**
   * A parked message that was sent, by its row: a replay of the same message makes another one.
   *
   * @param message the message
   * @param parkedAt since when the row is there, by the database's clock
   */
  record SentRow(KnownMessage message, Instant parkedAt) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public SentRow {
      Require.nonNull("message", message);
      Require.nonNull("parkedAt", parkedAt);
    }
  }

  /**
   * How far a slot is.
   *
   * @param epoch the number of the cursor's row that began it. The journal is right where the
   *     cursor's row is of the same epoch; else the row is, since an operator has moved it or
   *     somebody with another journal has read the subscription, and begins the next epoch
   * @param ledger the ledger's identity as the database tells it, for people; null where it was not
   *     known
   * @param frontier what of the slot has arrived
   * @param known a message that the ledger must still show; null where none was read
   * @param sent parked messages that were sent on request, and whose rows may still be there;
   *     copied
   */
  record Entry(
      long epoch,
      @Nullable String ledger,
      Frontier frontier,
      @Nullable KnownMessage known,
      Set<SentRow> sent) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null that must
     *     not be
     */
    public Entry {
      Require.nonNull("frontier", frontier);
      sent = Set.copyOf(Require.nonNull("sent", sent));
    }
  }

  /** Returns the last entry of a slot that is durable; empty where there is none. */
  Optional<Entry> load(int slot);

  /**
   * Returns how far a slot may be mirrored: the given frontier where all that was handed out up to
   * it is durable once {@link Pull#committed()} was called, as it is by default; else one that is.
   *
   * @param slot the slot
   * @param taken how far it was when its lease was taken
   * @param handedOut its frontier by what {@link Pull#committed()} was called for
   */
  default Frontier durable(int slot, Entry taken, Frontier handedOut) {
    Require.nonNull("taken", taken);
    return Require.nonNull("handedOut", handedOut);
  }
}
