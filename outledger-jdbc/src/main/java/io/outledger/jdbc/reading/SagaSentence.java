// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Printable;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.SagaInfo;
import io.outledger.jdbc.admin.SagaState;
import io.outledger.jdbc.admin.SagaTimer;
import io.outledger.jdbc.admin.SagaTimer.Place;
import io.outledger.saga.SagaId;
import io.outledger.saga.SagaPhase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Says in a sentence what a saga waits for. No I/O. */
final class SagaSentence {

  private static final int ERROR_CHARS_MAX = 200;

  private SagaSentence() {}

  /** Of a name that nobody has declared. */
  static String unknown(SagaId id) {
    return Printable.text(
        "no saga is named "
            + id.saga()
            + " here: no relay or receiver has declared a handler of that name, and no saga of it"
            + " is running; look for another spelling, schema or database");
  }

  /** Of a key that has no row; what is parked may be what should have started it. */
  static String missing(SagaId id, List<Parked> parked) {
    List<String> parts = new ArrayList<>();
    parts.add(
        "there is no saga "
            + id
            + ": it has ended, or no message has started it, and nothing is kept that tells which");
    parked.forEach(each -> parts.add(parked(each)));
    return Printable.text(String.join("; ", parts));
  }

  static String of(SagaState found) {
    SagaInfo saga = found.saga();
    List<String> parts = new ArrayList<>();
    parts.add(standing(saga));
    saga.timers().stream()
        .filter(each -> each.place() == Place.SCHEDULED)
        .min(Comparator.comparing(SagaTimer::due))
        .ifPresent(
            next -> parts.add("its time-out " + next.name() + " comes at " + at(next.due())));
    saga.timers().stream()
        .filter(each -> each.place() != Place.SCHEDULED)
        .forEach(each -> parts.add(timer(each)));
    if (saga.phase() == SagaPhase.COMPENSATING && !saga.progress().done().isEmpty()) {
      List<String> left = new ArrayList<>(saga.progress().done());
      Collections.reverse(left);
      parts.add("still to compensate for: " + String.join(", ", left));
    }
    found.parked().forEach(each -> parts.add(parked(each)));
    return Printable.text(String.join("; ", parts));
  }

  private static String timer(SagaTimer timer) {
    String which = "its time-out " + timer.name() + ", due at " + at(timer.due()) + ", ";
    return switch (timer.place()) {
      case SCHEDULED -> which + "is scheduled";
      case UNDERWAY -> which + "is on its way";
      case PARKED -> which + "is parked";
      case DEAD -> which + "is a dead letter, message " + timer.id() + ": retry or discard it";
      case GONE ->
          which
              + "never comes: somebody has cancelled or discarded it, or its subscription has begun"
              + " behind it; move the saga on by a message";
    };
  }

  private static String standing(SagaInfo saga) {
    String since = " since " + at(saga.changedAt());
    String waitsFor = saga.progress().waitsFor();
    String what = waitsFor == null ? "its next message" : waitsFor;
    if (saga.isStuck()) {
      return "saga " + saga.id() + " is stuck" + since + ", and waits for " + what;
    }
    return saga.phase() == SagaPhase.COMPENSATING
        ? "saga " + saga.id() + " compensates" + since + ", and waits for " + what
        : "saga " + saga.id() + " waits" + since + " for " + what;
  }

  private static String parked(Parked parked) {
    String message = "message " + parked.message().id() + " (" + parked.message().type() + ") of ";
    String error = parked.error();
    String failed =
        parked.attempts() + " failed attempts" + (error == null ? "" : ": " + cut(error));
    return switch (parked.state()) {
      case DEAD ->
          message + parked.owner() + " is a dead letter after " + failed + ": retry or discard it";
      case RETRYING ->
          message
              + parked.owner()
              + (parked.nextAttemptAt() == null
                  ? " is tried again"
                  : " is tried again at " + at(parked.nextAttemptAt()))
              + " after "
              + failed;
      case HELD -> message + parked.owner() + " is held behind an earlier one";
    };
  }

  private static String cut(String error) {
    String line = error.lines().findFirst().orElse("");
    return line.length() <= ERROR_CHARS_MAX ? line : line.substring(0, ERROR_CHARS_MAX) + "…";
  }

  private static String at(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
