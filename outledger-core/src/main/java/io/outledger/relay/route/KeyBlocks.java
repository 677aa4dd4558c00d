// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.store.LeaseGrant.BlockedKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The keys of one route that are blocked by parked rows.
 *
 * <p>A key stays blocked until the save that removes its last row has succeeded: a message of it
 * that is read before then is held, and so cannot overtake the rows before it.
 *
 * <p>There may be more keys than memory is to hold. Where not all are known, each key that is not
 * may be blocked: a message of it is held, and nothing of it is remembered. Its rows are all held,
 * so that whoever has room for the key finds it by them, and knows it from then on.
 */
final class KeyBlocks {

  private final Map<String, KeyRows> keys = new HashMap<>();
  private final Set<String> releasable = new LinkedHashSet<>();

  /** How many rows belong to keys that have no row to be tried later. */
  private long freeRows;

  /** How many keys have a row that is waited for, and of how many it waits until it is resumed. */
  private int waiting;

  private int untilResumed;

  /** Those without rows since the last save; the keys may be many, so it looks at no others. */
  private final Set<String> ended = new HashSet<>();

  private boolean isEachKnown = true;

  /** Takes a key with all its rows; one that is known stays as it is. */
  void load(BlockedKey key) {
    if (!keys.containsKey(key.key())) {
      change(key.key(), rows -> rows.load(key));
    }
  }

  /**
   * Takes keys whose rows are all held, as the store has them.
   *
   * @param isEach whether these are all there are
   */
  void load(List<BlockedKey> releasable, boolean isEach) {
    releasable.forEach(this::load);
    isEachKnown = isEach;
  }

  /** Returns whether each key that is blocked is known. */
  boolean isEachKnown() {
    return isEachKnown;
  }

  /** Takes whether each key that is blocked is known from now on. */
  void knowsEach(boolean isEach) {
    isEachKnown = isEach;
  }

  /** Takes that a row that blocks the key, or did, goes from one state to another. */
  void move(String key, Place place, RowState from, RowState to) {
    if (from != to && (isEachKnown || keys.containsKey(key))) {
      change(key, rows -> rows.move(place, from, to));
    }
  }

  /** Notes that the key has no rows after all: somebody has deleted them behind our back. */
  void forget(String key) {
    if (keys.containsKey(key)) {
      change(key, KeyRows::forget);
    }
  }

  boolean isBlocked(String key) {
    // Of most messages nobody then touches the key, which another thread has just made.
    return !isEachKnown || (!keys.isEmpty() && keys.containsKey(key));
  }

  /**
   * Returns whether a message must not be parked as one that its key waits for.
   *
   * @param isNew whether it has no row yet: then it stands behind all rows of its key
   */
  boolean isBehindAny(String key, Place place, boolean isNew) {
    KeyRows rows = keys.get(key);
    return rows == null ? isNew && !isEachKnown : isNew || rows.isBehindAny(place);
  }

  /** Returns whether the key's held rows must stay parked, also those underway. */
  boolean heldMustStay(String key) {
    KeyRows rows = keys.get(key);
    return rows != null && rows.heldMustStay();
  }

  /** Returns whether rows of the key are on their way through the route. */
  boolean isAnyUnderway(String key) {
    KeyRows rows = keys.get(key);
    return rows != null && rows.isAnyUnderway();
  }

  /** Returns how many blocked keys are known. */
  int keys() {
    return keys.size();
  }

  /** Returns how many keys wait for a row that is tried later, or when it is resumed. */
  int waiting() {
    return waiting;
  }

  /** Returns how many of these wait for the end of a pause, or for an instance. */
  int untilResumed() {
    return untilResumed;
  }

  /** Returns how many rows could be published now, one after the other of each key. */
  long freeRows() {
    return freeRows;
  }

  boolean hasReleasable() {
    return !releasable.isEmpty();
  }

  /**
   * Takes up to the given number of keys whose held rows may be brought back now, but none of which
   * an earlier message is kept back or on its way: that one, should it have to be sent again, would
   * have to be held behind rows that it stands before.
   */
  List<String> takeReleasable(int limit, Predicate<String> mustWait) {
    List<String> taken =
        releasable.stream().filter(key -> !mustWait.test(key)).limit(limit).toList();
    taken.forEach(releasable::remove);
    return taken;
  }

  /** Puts back a key that was taken, because there is no room for its rows now. */
  void putBack(String key) {
    releasable.add(key);
  }

  /** Unblocks the keys whose last row was removed by the save that has just succeeded. */
  void saved() {
    for (String key : ended) {
      KeyRows rows = keys.get(key);
      if (rows != null && rows.hasEnded()) {
        count(rows, -1);
        keys.remove(key);
      }
    }
    ended.clear();
  }

  private void change(String key, Consumer<KeyRows> change) {
    KeyRows rows = keys.computeIfAbsent(key, ignored -> new KeyRows());
    count(rows, -1);
    change.accept(rows);
    count(rows, 1);
    if (rows.hasEnded()) {
      ended.add(key);
    }
    if (rows.isReleasable()) {
      releasable.add(key);
    } else {
      releasable.remove(key);
    }
  }

  private void count(KeyRows rows, int times) {
    freeRows += times * rows.free();
    waiting += rows.isAnyWaitedFor() ? times : 0;
    untilResumed += rows.isUntilResumed() ? times : 0;
  }
}
