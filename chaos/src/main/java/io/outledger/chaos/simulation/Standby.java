// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import io.outledger.frontier.Frontier;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedState;
import io.outledger.testing.LedgerBackup;
import io.outledger.testing.ParkedRow;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A standby that lags behind. When it is promoted, what it had not received is gone: messages,
 * saves of the cursor and effects, whose numbers are drawn anew.
 */
final class Standby {

  private final World world;
  private @Nullable Received received;

  /** All that the database holds. */
  private record Received(
      LedgerBackup ledger, Map<String, Long> counters, ConsumerProcess.Memory consumer) {}

  Standby(World world) {
    this.world = world;
  }

  /** Receives all there is, unless a transaction of ours is in the middle of a commit. */
  void catchUp() {
    if (!world.consumer().isOnStack() && world.owner() != null) {
      received =
          new Received(
              world.ledger().backup(), world.writers().counters(), world.consumer().memory());
      world.journal().tell(() -> "the standby has caught up");
    }
  }

  /** Takes the place of the server, and has only what it had received. */
  void promote() {
    Received known = received;
    if (known == null || world.consumer().isOnStack()) {
      return;
    }
    world.journal().tell(() -> "the standby is promoted");
    world.writers().serverRestarts();
    List<LedgerMessage> before = world.ledger().messages();
    excuseDeadLetters();
    world.ledger().restore(known.ledger());
    world.writers().restore(known.counters());
    world.consumer().restore(known.consumer());
    received = null;
    forget(before);
    account();
    world.restored();
  }

  /** What had died may now be published after all, late. */
  private void excuseDeadLetters() {
    for (ParkedRow row : world.subscription().parked()) {
      if (row.message().state() == ParkedState.DEAD) {
        world.journal().write(new Entry.Released(row.message().message().id()));
      }
    }
  }

  private void forget(List<LedgerMessage> before) {
    Set<UUID> left = new HashSet<>();
    world.ledger().messages().forEach(one -> left.add(one.message().id()));
    for (LedgerMessage one : before) {
      if (!left.contains(one.message().id())) {
        world.journal().write(new Entry.Forgotten(one.message().id()));
      }
    }
  }

  /** What was sent since, and what the saved frontier does not know of, is sent again. */
  private void account() {
    Frontier frontier = world.subscription().frontier();
    Set<Long> parked = new HashSet<>();
    world.subscription().parked().forEach(row -> parked.add(row.message().position()));
    long inFlight =
        world.ledger().messages().stream()
            .filter(m -> !frontier.isSettled(m.position()) || parked.contains(m.position()))
            .filter(m -> world.wasSent(m.message().id()))
            .count();
    world.journal().write(new Entry.Crashed("tail lost", inFlight));
  }
}
