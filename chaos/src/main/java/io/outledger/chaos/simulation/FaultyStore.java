// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.frontier.Positions;
import io.outledger.store.CursorRow;
import io.outledger.store.Page;
import io.outledger.store.ParkedMessage;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Tenure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A relay's store, with everything between a call and its reply that may happen: the others move,
 * the process dies, the connection breaks before or after the effect.
 */
final class FaultyStore implements RelayStore {

  private final World world;
  private final RelayProcess process;
  private final RelayStore store;

  FaultyStore(World world, RelayProcess process, RelayStore store) {
    this.world = world;
    this.process = process;
    this.store = store;
  }

  @Override
  public CursorRow look() {
    return call("look", store::look);
  }

  @Override
  public Optional<Tenure> takeOver(CursorRow seen, UUID incarnation, Duration lease) {
    return call(
        "takeOver",
        () -> "takeOver of " + seen,
        () -> {
          Optional<Tenure> tenure = store.takeOver(seen, incarnation, lease);
          tenure.ifPresent(taken -> process.tookOver(taken.n(), incarnation));
          return tenure;
        });
  }

  @Override
  public void checkConditions(long high) {
    call(
        "checkConditions",
        () -> {
          store.checkConditions(high);
          return high;
        });
  }

  @Override
  public Page poll(PollRequest request) {
    return call("poll", () -> "poll " + request, () -> store.poll(request));
  }

  @Override
  public SaveOutcome save(Save save) {
    return call(
        "save",
        save::toString,
        () -> {
          SaveOutcome outcome = store.save(save);
          if (outcome instanceof SaveOutcome.Saved) {
            world.savedCursor(save.n() + 1, save.incarnation());
          }
          return outcome;
        });
  }

  @Override
  public Set<Long> writers() {
    return call("writers", store::writers);
  }

  @Override
  public String blockers() {
    return call("blockers", store::blockers);
  }

  @Override
  public List<ParkedMessage> due(Positions except, int limit) {
    return call("due", () -> store.due(except, limit));
  }

  @Override
  public List<ParkedMessage> held(String lane, String key, long above, int limit) {
    return call(
        "held",
        () -> "held of " + key + " above " + above,
        () -> store.held(lane, key, above, limit));
  }

  @Override
  public List<ParkedMessage> discards(int limit) {
    return call("discards", () -> store.discards(limit));
  }

  @Override
  public void purgeCursor(long newest) {
    call(
        "purgeCursor",
        () -> {
          store.purgeCursor(newest);
          return newest;
        });
  }

  @Override
  public void close() {
    store.close();
  }

  private <T> T call(String what, Supplier<T> work) {
    return call(what, () -> what, work);
  }

  private <T> T call(String what, Supplier<String> details, Supplier<T> work) {
    process.checkAlive();
    process.othersMove("before " + what);
    process.mayCrash("before " + what);
    mayFail(world.plan().storeFails, "before", what);
    T reply = work.get();
    world.journal().tell(() -> process + " " + details.get() + ": " + reply);
    process.othersMove("after " + what);
    process.mayCrash("after " + what);
    mayFail(world.plan().replyLost, "after", what);
    return reply;
  }

  private void mayFail(double probability, String when, String what) {
    if (world.hasFaults() && world.choices().chance(probability)) {
      world.journal().tell(() -> process + " loses its connection " + when + " " + what);
      throw new StoreException(
          ErrorCode.STORE_UNAVAILABLE, "the connection broke " + when + " " + what);
    }
  }
}
