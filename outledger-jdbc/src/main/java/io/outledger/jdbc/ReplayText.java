// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.ReplayRows.Left;
import java.util.ArrayList;
import java.util.List;

/**
 * What a replay has come to, in one sentence: how many messages were published again, what became
 * of the others, what the handlers do with those that they know, and what matched nothing.
 *
 * @param verb what was asked for
 * @param stand where it stands
 * @param ended how many of its copies have ended
 * @param left what is left of them
 * @param awaited for whom that waits, for people
 */
record ReplayText(Verb.Replay verb, ReplayStand stand, long ended, Left left, String awaited) {

  /** Says it of one that goes on, or is done. */
  String running() {
    return stand.isAtEnd() ? text("", 0) + unmatched() : text(upTo(), 0);
  }

  /** Says it of one that is being stopped. */
  String stopped(long taken) {
    return text(upTo(), taken);
  }

  private String upTo() {
    return " up to position " + stand.to();
  }

  private String text(String upTo, long taken) {
    return stand.copied() == 0
        ? "no message" + upTo + " fits that is not parked already" + stand.ofGone()
        : messages(stand.copied()) + upTo + ": " + parts(taken) + handlers() + stand.ofGone();
  }

  private static String messages(long number) {
    return number == 1 ? "1 message" : number + " messages";
  }

  private String parts(long taken) {
    Count dead = Count.of(left.dead());
    List<String> parts = new ArrayList<>();
    parts.add((dead.isMore() ? "some" : ended) + " published again");
    if (left.waiting() > 0) {
      parts.add(left.waiting() + " waiting for " + awaited);
    }
    if (taken > 0) {
      parts.add(taken + " taken back");
    }
    if (left.dead() > 0) {
      parts.add(dead + " failed and dead letters now");
    }
    return String.join(", ", parts);
  }

  private String handlers() {
    if (verb.processAgain()) {
      return "; handlers had processed %s of them, and process them again"
          .formatted(stand.forgotten());
    }
    return stand.known() == 0
        ? ""
        : "; handlers have processed %s of them, and skip them".formatted(stand.known());
  }

  private String unmatched() {
    int ids = verb.range().ids().size();
    long unmatched = ids - stand.copied();
    return unmatched <= 0 ? "" : "; %s of %s ids matched nothing".formatted(unmatched, ids);
  }
}
