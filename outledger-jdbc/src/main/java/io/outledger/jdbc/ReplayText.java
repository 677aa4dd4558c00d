// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.spi.ReplayRows.Left;

/**
 * What a replay has come to, for people.
 *
 * @param ids of how many ids it is; 0 where it is not of ids
 * @param stand where it stands
 * @param ended how many of its copies have ended
 * @param left what is left of them
 */
record ReplayText(int ids, ReplayStand stand, long ended, Left left) {

  private static final String WAIT = " wait for their owner";

  /** Says it of one that goes on, or is done. */
  String running() {
    return text() + (stand.isAtEnd() ? "" : upTo()) + counts(left.waiting() + WAIT);
  }

  /** Says it of one that is being stopped. */
  String stopped(long taken) {
    String others = left.waiting() == 0 ? "" : ", " + left.waiting() + WAIT;
    return text() + upTo() + counts(taken + " were taken back" + others);
  }

  private String text() {
    return stand.copied() + " taken up" + (ids == 0 ? "" : " of " + ids + " ids");
  }

  private String upTo() {
    return ", up to position " + stand.to();
  }

  private String counts(String rest) {
    Count dead = Count.of(left.dead());
    return ": %s ended, %s, %s are dead letters; its handlers know %s and forgot %s"
            .formatted(dead.isMore() ? "some" : ended, rest, dead, stand.known(), stand.forgotten())
        + stand.ofGone();
  }
}
