// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks for an event of its own for each name, so that those of one key come in the order of their
 * names. A name that could take several events takes none that a later name needs. Not thread-safe.
 */
final class OrderedChoice {

  /** Enough for every test that a person can read; some searches would never end. */
  private static final int TRIES_MAX = 200_000;

  private final List<List<Occurrence>> names;
  private final List<Occurrence> chosen = new ArrayList<>();
  private List<Occurrence> longest = List.of();
  private int tries;

  /**
   * Makes it.
   *
   * @param names for each name, in order, the events that it could stand for
   */
  OrderedChoice(List<List<Occurrence>> names) {
    this.names = names;
  }

  /** Returns whether there is a choice. */
  boolean isPossible() {
    if (chosen.size() == names.size()) {
      return true;
    }
    for (Occurrence candidate : names.get(chosen.size())) {
      if (tries++ >= TRIES_MAX) {
        return false;
      }
      if (follows(candidate)) {
        chosen.add(candidate);
        if (chosen.size() > longest.size()) {
          longest = List.copyOf(chosen);
        }
        if (isPossible()) {
          return true;
        }
        chosen.remove(chosen.size() - 1);
      }
    }
    return false;
  }

  /** Returns the longest choice for the first names that was found. */
  List<Occurrence> longest() {
    return longest;
  }

  /** Returns a remark for a failure if the search was given up; otherwise an empty text. */
  String remark() {
    return tries < TRIES_MAX
        ? ""
        : " The search was given up after "
            + TRIES_MAX
            + " tries: say more of each event, such as withKey(…).";
  }

  private boolean follows(Occurrence candidate) {
    return chosen.stream()
        .noneMatch(
            earlier ->
                earlier.place() == candidate.place()
                    || (earlier.place() > candidate.place() && earlier.sharesKeyWith(candidate)));
  }
}
