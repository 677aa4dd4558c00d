// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.spi.DueMessages.Due;
import io.outledger.jdbc.spi.DueMessages.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a mover moves of a page of messages that are due.
 *
 * @param wanted in order
 * @param held the keys whose later messages wait for the next pass
 * @param behind what might be moved of the page beyond that
 */
record DueChoice(List<Due> wanted, Set<String> held, List<Due> behind) {

  static final DueChoice NOTHING = new DueChoice(List.of(), Set.of(), List.of());

  private static final long BYTES_MAX = 8L << 20;
  private static final int WITHOUT_MAX = 500;

  /**
   * Chooses the first ones, as many as one transaction should hold in memory.
   *
   * @param passed those that are passed over, and all that is due behind one of them with its key
   * @param most how many are chosen at most
   */
  static DueChoice of(List<Due> page, Set<Row> passed, int most) {
    List<Due> wanted = new ArrayList<>();
    List<Due> behind = new ArrayList<>();
    Set<String> held = new HashSet<>();
    Set<String> heldBehind = held;
    long bytes = 0;
    for (Due each : page) {
      if (passed.contains(each.row())) {
        hold(heldBehind, each);
      } else if (!isHeld(heldBehind, each)) {
        bytes += each.bytes();
        boolean isFull = wanted.size() == most || (bytes > BYTES_MAX && !wanted.isEmpty());
        if (isFull && behind.isEmpty()) {
          heldBehind = new HashSet<>(held); // a key is held behind what is passed over, not before
        }
        (isFull || !behind.isEmpty() ? behind : wanted).add(each);
      }
    }
    return new DueChoice(wanted, held, behind);
  }

  /** Returns whether the page has more than is wanted. */
  boolean isCut() {
    return !behind.isEmpty();
  }

  /** Returns which keys the database leaves out from now on, as far as a statement takes them. */
  static Set<String> leftOut(Set<String> before, Set<String> more) {
    Set<String> all = new HashSet<>(before);
    more.stream().limit(Math.max(0, WITHOUT_MAX - all.size())).forEach(all::add);
    return all;
  }

  static boolean isHeld(Set<String> held, Due message) {
    return message.key() != null && held.contains(message.key());
  }

  static void hold(Set<String> held, Due message) {
    if (message.key() != null) {
      held.add(message.key());
    }
  }
}
