// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.Scheduled;
import io.outledger.jdbc.admin.ScheduledQuery;
import io.outledger.jdbc.admin.Verb;
import java.util.List;
import java.util.UUID;

/** What waits for its time in the database of a test, where no test waits for a clock. */
final class ScheduledForTests {

  private static final String WHO = "outledger-junit";

  private final Outledger outledger;

  ScheduledForTests(Outledger outledger) {
    this.outledger = outledger;
  }

  /** Returns those that are due first, for the text of a failure. */
  List<Scheduled> first() {
    return outledger.admin().scheduled(ScheduledQuery.ALL.withLimit(20)).rows();
  }

  /** Makes the one that is due next due now, and returns whether there was one. */
  boolean deliverNext() {
    List<Scheduled> next = outledger.admin().scheduled(ScheduledQuery.ALL.withLimit(1)).rows();
    next.forEach(each -> ask(DeliverNow.id(idOf(each)), "a test lets time pass"));
    return !next.isEmpty();
  }

  /** Cancels what an earlier test has left. */
  void cancelAll() {
    List<Scheduled> left;
    do {
      left = outledger.admin().scheduled(ScheduledQuery.ALL).rows();
      left.forEach(each -> ask(CancelScheduled.id(idOf(each)), "another test begins"));
    } while (!left.isEmpty());
  }

  private void ask(Verb verb, String why) {
    outledger.requests().ask(verb.by(WHO, why));
  }

  private static UUID idOf(Scheduled message) {
    return UUID.fromString(message.message().id());
  }
}
