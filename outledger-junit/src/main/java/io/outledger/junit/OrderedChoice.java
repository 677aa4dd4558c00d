// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of a search for an event of its own for each name, so that those of one key come in
 * the order of their names. A name that could take several events takes none that a later name
 * needs. Immutable.
 *
 * @param isFound whether there is a choice for all names
 * @param longest the longest choice for the first names that was found
 * @param isGivenUp whether the search ended before all had been tried
 */
record OrderedChoice(boolean isFound, List<Occurrence> longest, boolean isGivenUp) {

  /** Enough for every test that a person can read; some searches would never end. */
  private static final int TRIES_MAX = 200_000;

  /**
   * Searches.
   *
   * @param names for each name, in order, the events that it could stand for
   */
  static OrderedChoice of(List<List<Occurrence>> names) {
    Search search = new Search(names);
    boolean isFound = search.run();
    return new OrderedChoice(isFound, search.longest, !isFound && search.tries >= TRIES_MAX);
  }

  /** Returns a remark for a failure if the search was given up; otherwise an empty text. */
  String remark() {
    return isGivenUp
        ? " The search was given up after "
            + TRIES_MAX
            + " tries: say more of each event, such as withKey(…)."
        : "";
  }

  /** A search, by trial and error. Used once. */
  private static final class Search {

    private final List<List<Occurrence>> names;
    private final List<Occurrence> chosen = new ArrayList<>();
    private List<Occurrence> longest = List.of();
    private int tries;

    private Search(List<List<Occurrence>> names) {
      this.names = names;
    }

    /** Chooses for all names that are left, and returns whether it could. */
    private boolean run() {
      if (chosen.size() == names.size()) {
        return true;
      }
      for (Occurrence candidate : names.get(chosen.size())) {
        if (tries++ >= TRIES_MAX) {
          return false;
        }
        if (follows(candidate) && runWith(candidate)) {
          return true;
        }
      }
      return false;
    }

    private boolean runWith(Occurrence candidate) {
      chosen.add(candidate);
      if (chosen.size() > longest.size()) {
        longest = List.copyOf(chosen);
      }
      if (run()) {
        return true;
      }
      chosen.remove(chosen.size() - 1);
      return false;
    }

    private boolean follows(Occurrence candidate) {
      return chosen.stream()
          .noneMatch(
              earlier ->
                  earlier.place() == candidate.place()
                      || (earlier.place() > candidate.place() && earlier.sharesKeyWith(candidate)));
    }
  }
}
