// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where a replay stands, as its request's place says.
 *
 * @param to everything up to this position was copied, where it fits and was there
 * @param end the last position
 * @param copied how many were copied
 * @param pacedTo up to when the rate is used up, in milliseconds of the database's clock
 * @param known how many times a handler knew one that was copied, and passes over it
 * @param forgotten how many times one knew it and processes it again
 * @param gone how many positions retention had removed before the replay came to them
 * @param goneTo the last one of those; 0 where there are none
 * @param rest the positions, in their order, of copies that a stop has taken back: they are copied
 *     before anything else where it is resumed
 */
record ReplayStand(
    long to,
    long end,
    long copied,
    long pacedTo,
    long known,
    long forgotten,
    long gone,
    long goneTo,
    List<Long> rest) {

  private static final int NUMBERS = 8;

  static ReplayStand read(String place) {
    long[] n = NumbersText.read(place, NUMBERS);
    return new ReplayStand(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], NumbersText.list(place));
  }

  /** Returns one that has copied nothing. */
  static ReplayStand before(long first, long end, long pacedTo) {
    return new ReplayStand(first - 1, end, 0, pacedTo, 0, 0, 0, 0, List.of());
  }

  String text() {
    String numbers = NumbersText.write(to, end, copied, pacedTo, known, forgotten, gone, goneTo);
    return NumbersText.and(numbers, rest);
  }

  boolean isAtEnd() {
    return to >= end && rest.isEmpty();
  }

  /** Returns the first position that is still to be copied, if it is there and fits. */
  long next() {
    return rest.isEmpty() ? to + 1 : rest.get(0);
  }

  ReplayStand at(long newTo) {
    return new ReplayStand(newTo, end, copied, pacedTo, known, forgotten, gone, goneTo, rest);
  }

  /**
   * Returns it by a clock that was set back since, perhaps: nobody waits until it has caught up.
   */
  ReplayStand pacedBy(long now) {
    return paced(Math.min(pacedTo, now));
  }

  ReplayStand paced(long newPacedTo) {
    return new ReplayStand(to, end, copied, newPacedTo, known, forgotten, gone, goneTo, rest);
  }

  /** Goes on behind what retention has removed, and remembers that. */
  ReplayStand behind(long purgedTo) {
    long last = Math.min(purgedTo, end);
    List<Long> left = rest.stream().filter(each -> each > purgedTo).toList();
    int goneOfRest = rest.size() - left.size();
    if (last <= to && goneOfRest == 0) {
      return this;
    }
    return new ReplayStand(
        Math.max(to, last),
        end,
        copied,
        pacedTo,
        known,
        forgotten,
        gone + goneOfRest + Math.max(0, last - to),
        last > to ? last : rest.get(goneOfRest - 1),
        left);
  }

  /** Returns it once copies were made. */
  ReplayStand copied(long newTo, long more, long knownMore, long forgottenMore) {
    return new ReplayStand(
        newTo,
        end,
        copied + more,
        pacedTo,
        known + knownMore,
        forgotten + forgottenMore,
        gone,
        goneTo,
        rest);
  }

  /** Returns it once copies were taken back. */
  ReplayStand without(List<Long> positions) {
    return with(Stream.concat(rest.stream(), positions.stream()).sorted().toList());
  }

  /**
   * Returns it where it is resumed: what was taken back counts as copied when it is copied again.
   *
   * @param taken how many were taken back
   */
  ReplayStand resumed(long taken) {
    return copied(to, -taken, 0, 0);
  }

  ReplayStand with(List<Long> newRest) {
    return new ReplayStand(
        to, end, copied, pacedTo, known, forgotten, gone, goneTo, List.copyOf(newRest));
  }

  /** Says what a result has to say of positions that were gone; empty where none were. */
  String ofGone() {
    return gone == 0
        ? ""
        : "; retention had removed %s positions, the last of them %s, before it came to them"
            .formatted(gone, goneTo);
  }
}
