// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.store.CursorRow;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.Pauses;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store behind a pooler: each call goes over another connection, so that nobody is told when the
 * server was another one meanwhile. What is to happen before the next save can be chosen.
 */
final class OneConnectionAStep implements RelayStore {

  private final Supplier<RelayStore> connecting;
  private Runnable beforeSave = () -> {};

  OneConnectionAStep(Supplier<RelayStore> connecting) {
    this.connecting = connecting;
  }

  /** Chooses what happens just before the next save, once. */
  void beforeSave(Runnable action) {
    beforeSave = action;
  }

  @Override
  public CursorRow look() {
    return call(RelayStore::look);
  }

  @Override
  public Optional<LeaseGrant> takeOver(
      CursorRow seen, UUID incarnation, Duration lease, Runnable asking) {
    return call(store -> store.takeOver(seen, incarnation, lease, asking));
  }

  @Override
  public void checkPreconditions(long high) {
    call(
        store -> {
          store.checkPreconditions(high);
          return high;
        });
  }

  @Override
  public Page poll(PollRequest request) {
    return call(store -> store.poll(request));
  }

  @Override
  public SaveOutcome save(Save save) {
    Runnable action = beforeSave;
    beforeSave = () -> {};
    action.run();
    return call(store -> store.save(save));
  }

  @Override
  public Set<Long> writers() {
    return call(RelayStore::writers);
  }

  @Override
  public String blockers() {
    return call(RelayStore::blockers);
  }

  @Override
  public List<ParkedMessage> due(Set<String> routes, Set<ParkedPlace> except, int limit) {
    return call(store -> store.due(routes, except, limit));
  }

  @Override
  public Map<String, Long> parkedElsewhere(Set<String> routes) {
    return call(store -> store.parkedElsewhere(routes));
  }

  @Override
  public List<LeaseGrant.BlockedKey> releasable(Set<String> routes, int limit) {
    return call(store -> store.releasable(routes, limit));
  }

  @Override
  public List<ParkedMessage> held(String route, String key, int limit) {
    return call(store -> store.held(route, key, limit));
  }

  @Override
  public List<ParkedMessage> discards(ParkedPlace after, int limit) {
    return call(store -> store.discards(after, limit));
  }

  @Override
  public void declare(Declaring declaring) {
    call(
        store -> {
          store.declare(declaring);
          return declaring;
        });
  }

  @Override
  public void declareAgain(Set<Declaration> has) {
    call(
        store -> {
          store.declareAgain(has);
          return has;
        });
  }

  @Override
  public Pauses pauses() {
    return call(RelayStore::pauses);
  }

  @Override
  public List<ParkedMessage> untilResumed(ParkedPlace after, Pauses pauses, int limit) {
    return call(store -> store.untilResumed(after, pauses, limit));
  }

  @Override
  public Declarations declarations() {
    return call(RelayStore::declarations);
  }

  @Override
  public void purgeCursor(long newest) {
    call(
        store -> {
          store.purgeCursor(newest);
          return newest;
        });
  }

  @Override
  public void close() {
    // Each call has closed its own.
  }

  private <T> T call(Function<RelayStore, T> work) {
    try (RelayStore store = connecting.get()) {
      return work.apply(store);
    }
  }
}
