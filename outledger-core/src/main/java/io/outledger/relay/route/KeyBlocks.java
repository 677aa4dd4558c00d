// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.store.LeaseGrant.BlockedKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The keys of one route that are blocked by parked rows.
 *
 * <p>A key stays blocked until the save that removes its last row has succeeded: a message of it
 * that is read before then is held, and so cannot overtake the rows before it.
 */
final class KeyBlocks {

  private final Map<String, Block> blocks = new HashMap<>();
  private final Set<String> releasable = new LinkedHashSet<>();

  /** How many rows belong to keys that have no row to be tried later. */
  private long freeRows;

  /** Those without rows since the last save; the keys may be many, so it looks at no others. */
  private final Set<String> ended = new HashSet<>();

  void load(BlockedKey key) {
    Block block = new Block();
    block.rows = key.rows();
    block.waiting = key.waiting();
    blocks.put(key.key(), block);
    review(key.key(), block);
  }

  boolean isBlocked(String key) {
    // Of most messages nobody then touches the key, which another thread has just made.
    return !blocks.isEmpty() && blocks.containsKey(key);
  }

  /** Returns whether a row of the key is to be tried later. */
  boolean waits(String key) {
    Block block = blocks.get(key);
    return block != null && block.waiting > 0;
  }

  /**
   * Returns whether the key's held rows must stay parked: because a row is to be tried later, or
   * because one before them has stayed.
   */
  boolean heldMustStay(String key) {
    Block block = blocks.get(key);
    return block != null && (block.waiting > 0 || block.oneHasStayed);
  }

  /**
   * Notes that a held row is no longer being tried and stays parked. Those behind it that are being
   * tried must stay as well; when all have, they are read again in order.
   */
  void stayed(String key) {
    Block block = blocks.computeIfAbsent(key, ignored -> new Block());
    block.trying--;
    block.oneHasStayed = true;
    review(key, block);
  }

  /** Notes a new row that blocks the key; {@code waits} where it is to be tried later, not held. */
  void added(String key, boolean waits) {
    Block block = blocks.computeIfAbsent(key, ignored -> new Block());
    block.rows++;
    block.waiting += waits ? 1 : 0;
    review(key, block);
  }

  /**
   * Notes that a row of the key is being tried; {@code waited} where the key has waited for it.
   * Held rows that are being tried then and not sent yet must stay: they may stand before it in the
   * queue.
   */
  void trying(String key, boolean waited) {
    Block block = blocks.computeIfAbsent(key, ignored -> new Block());
    block.oneHasStayed |= waited && block.trying > 0;
    block.trying++;
    block.waiting -= waited ? 1 : 0;
    review(key, block);
  }

  /** Notes that a row is no longer being tried and stays parked. */
  void parkedAgain(String key, boolean waits) {
    Block block = blocks.computeIfAbsent(key, ignored -> new Block());
    block.trying--;
    block.waiting += waits ? 1 : 0;
    review(key, block);
  }

  /** Notes that a row is no longer being tried and blocks the key no more. */
  void removed(String key) {
    Block block = blocks.computeIfAbsent(key, ignored -> new Block());
    block.trying--;
    block.rows--;
    review(key, block);
  }

  /** Notes that the key has no rows after all: somebody has deleted them behind our back. */
  void forget(String key) {
    Block block = blocks.get(key);
    if (block != null) {
      block.rows = 0;
      review(key, block);
    }
  }

  /** Returns how many keys are blocked. */
  int keys() {
    return blocks.size();
  }

  /** Returns how many rows could be published now, one after the other of each key. */
  long freeRows() {
    return freeRows;
  }

  boolean hasReleasable() {
    return !releasable.isEmpty();
  }

  /**
   * Takes up to the given number of keys whose held rows may be tried now, but none of which an
   * earlier message is kept back or on its way: that one, should it have to be sent again, would
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
      Block block = blocks.get(key);
      if (block != null && block.hasEnded()) {
        blocks.remove(key);
      }
    }
    ended.clear();
  }

  private void review(String key, Block block) {
    if (block.hasEnded()) {
      ended.add(key);
    }
    block.oneHasStayed &= block.trying > 0;
    long free = block.waiting <= 0 ? Math.max(0, block.rows) : 0;
    freeRows += free - block.freeRows;
    block.freeRows = free;
    if (block.rows > 0 && block.trying == 0 && block.waiting <= 0) {
      releasable.add(key);
    } else {
      releasable.remove(key);
    }
  }

  private static final class Block {
    private long rows;
    private long freeRows; // as counted last
    private int trying;
    private boolean oneHasStayed;
    private long waiting;

    private boolean hasEnded() {
      return rows <= 0 && trying == 0;
    }
  }
}
