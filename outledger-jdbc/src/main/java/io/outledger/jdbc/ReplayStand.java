// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

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
 */
record ReplayStand(
    long to,
    long end,
    long copied,
    long pacedTo,
    long known,
    long forgotten,
    long gone,
    long goneTo) {

  static ReplayStand read(String place) {
    long[] n = NumbersText.read(place, 8);
    return new ReplayStand(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
  }

  String text() {
    return NumbersText.write(to, end, copied, pacedTo, known, forgotten, gone, goneTo);
  }

  boolean isAtEnd() {
    return to >= end;
  }

  ReplayStand at(long newTo) {
    return new ReplayStand(newTo, end, copied, pacedTo, known, forgotten, gone, goneTo);
  }

  /**
   * Returns it by a clock that was set back since, perhaps: nobody waits until it has caught up.
   */
  ReplayStand pacedBy(long now) {
    return new ReplayStand(to, end, copied, Math.min(pacedTo, now), known, forgotten, gone, goneTo);
  }

  /** Goes on behind what retention has removed, and remembers that. */
  ReplayStand behind(long purgedTo) {
    long last = Math.min(purgedTo, end);
    return last <= to
        ? this
        : new ReplayStand(last, end, copied, pacedTo, known, forgotten, gone + last - to, last);
  }

  /** Says what a result has to say of positions that were gone; empty where none were. */
  String ofGone() {
    return gone == 0
        ? ""
        : "; retention had removed %s positions, the last of them %s, before it came to them"
            .formatted(gone, goneTo);
  }
}
