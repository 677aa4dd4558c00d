// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Printable;
import io.outledger.jdbc.admin.Cause;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.InstanceState;
import io.outledger.jdbc.admin.LedgerEntry;
import io.outledger.jdbc.admin.MessageInfo;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.Reason;
import io.outledger.jdbc.admin.Reason.Kind;
import io.outledger.jdbc.admin.Standing;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.store.ParkedState;
import io.outledger.store.Paused;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says in a sentence what was found. No I/O. */
final class Reasons {

  private static final int ERROR_CHARS_MAX = 200;

  private static final String BEHIND_ANOTHER =
      "held behind a message of its key that was just settled, or is not among the "
          + Count.MAX
          + " parked ones that were looked at";

  private Reasons() {}

  /** What a sentence rests on, as values. */
  record Evidence(
      List<Parked> parked,
      @Nullable Cause cause,
      @Nullable Paused pause,
      @Nullable Long readUpTo,
      @Nullable InstanceState relay) {

    static final Evidence NONE = of(List.of());

    static Evidence of(List<Parked> parked) {
      return new Evidence(parked, null, null, null, null);
    }

    Evidence with(Cause value) {
      return new Evidence(parked, value, pause, readUpTo, relay);
    }

    Evidence with(Paused value) {
      return new Evidence(parked, cause, value, readUpTo, relay);
    }

    Evidence with(@Nullable InstanceState value) {
      return new Evidence(parked, cause, pause, readUpTo, value);
    }

    Evidence readUpTo(long position) {
      return new Evidence(parked, cause, pause, position, relay);
    }
  }

  static Reason reason(
      Kind kind, String subscription, String sentence, Evidence evidence, @Nullable Instant at) {
    return new Reason(
        kind,
        subscription,
        sentence,
        evidence.parked,
        evidence.cause,
        evidence.pause,
        evidence.readUpTo,
        evidence.relay,
        at);
  }

  static Reason unread() {
    return plain(
        Kind.UNREAD,
        "",
        "no subscription reads the ledger: start a relay, or nothing is published");
  }

  static Reason plain(Kind kind, String subscription, String sentence) {
    return reason(kind, subscription, sentence, Evidence.NONE, null);
  }

  static Reason nothingWaits(String subscription, String key, long from, long to) {
    return plain(
        Kind.NOTHING_WAITS,
        subscription,
        in(subscription, 0)
            + "nothing of key "
            + key
            + " is parked, and none of its messages waits at positions "
            + from
            + " to "
            + to);
  }

  /** Says what became of a message that is settled. */
  static Reason settled(LedgerEntry entry, Standing standing) {
    String where = in(standing.subscription(), standing.partition());
    String after = entry.erased() ? "; what it said was erased" : "";
    return standing.state() == Standing.State.DISCARDED
        ? plain(Kind.DISCARDED, standing.subscription(), where + "it was discarded" + after)
        : published(where, standing, after);
  }

  /** Says what a message waits for that is neither settled nor parked. */
  static Reason open(
      LedgerEntry entry,
      Standing standing,
      Optional<SubscriptionState> state,
      TakingRoutes routes) {
    return state
        .map(each -> waiting(entry, standing, each, routes))
        .orElseGet(() -> gone(standing));
  }

  private static Reason published(String where, Standing standing, String after) {
    Instant by = standing.publishedBy();
    String sentence =
        by == null
            ? "it was published or passed over; when is no longer known"
            : "it was published, or passed over, by " + at(by);
    return reason(
        Kind.PUBLISHED, standing.subscription(), where + sentence + after, Evidence.NONE, by);
  }

  /** Says that an operator keeps back a message that is not parked. */
  static Reason paused(Standing standing, Paused pause) {
    return reason(
        Kind.PAUSED,
        standing.subscription(),
        in(standing.subscription(), standing.partition()) + paused(pause),
        Evidence.NONE.with(pause),
        pause.since());
  }

  /** Says that an operator keeps back a message that was set aside for it, or failed before. */
  static Reason paused(Parked row, Paused pause) {
    return reason(
        Kind.PAUSED,
        row.owner().name(),
        in(row) + paused(pause),
        Evidence.of(List.of(row)).with(pause),
        pause.since());
  }

  /**
   * Says that the relay keeps back a parked message that failed before, whatever the time of its
   * next attempt is; empty where it does not.
   *
   * @param head what it is held behind
   */
  static Optional<Reason> keptBack(Parked row, Optional<Parked> head, InstanceState relay) {
    Parked tried = head.orElse(row);
    String what = head.map(each -> "held behind " + name(each) + ", which ").orElse("it ");
    return relay.causes().stream()
        .filter(each -> each.kind() == Cause.Kind.BREAKER || each.kind() == Cause.Kind.OUTAGE)
        .filter(each -> each.route().equals(tried.place().route()))
        .filter(each -> isAbout(each, tried.message()))
        .findFirst()
        .map(
            cause ->
                reason(
                    head.isPresent() ? Kind.HELD : Kind.KEPT_BACK,
                    row.owner().name(),
                    in(row)
                        + what
                        + failedBefore(tried)
                        + ("; since " + at(cause.since()) + ": " + cause.text()),
                    Evidence.of(head.map(each -> List.of(row, each)).orElse(List.of(row)))
                        .with(relay)
                        .with(cause),
                    cause.since()));
  }

  private static String paused(Paused pause) {
    return Printable.value(pause.scope().toString())
        + " is paused by "
        + Printable.value(pause.by())
        + " since "
        + at(pause.since())
        + ": "
        + Printable.value(pause.reason());
  }

  /** The subscription was deleted between two reads. */
  private static Reason gone(Standing standing) {
    return plain(
        Kind.UNREAD,
        standing.subscription(),
        in(standing.subscription(), standing.partition()) + "the subscription was just deleted");
  }

  private static Reason waiting(
      LedgerEntry entry, Standing standing, SubscriptionState state, TakingRoutes routes) {
    String where = in(standing.subscription(), standing.partition());
    InstanceState relay = state.relay();
    if (!state.isRunning()) {
      return reason(
          Kind.NOBODY_RUNS,
          standing.subscription(),
          where + "no relay runs it" + last(relay) + "; start one, and the message is published",
          Evidence.NONE.with(relay),
          relay == null ? null : relay.since());
    }
    Optional<Cause> cause =
        relay == null
            ? Optional.empty()
            : relay.causes().stream().filter(each -> concerns(each, entry, routes)).findFirst();
    if (cause.isPresent()) {
      return reason(
          Kind.KEPT_BACK,
          standing.subscription(),
          where + "since " + at(cause.get().since()) + ": " + cause.get().text(),
          Evidence.NONE.with(relay).with(cause.get()),
          cause.get().since());
    }
    long high = state.cursor().high();
    return standing.state() == Standing.State.WAITING
        ? reason(
            Kind.BEHIND,
            standing.subscription(),
            where
                + "the relay has read up to position "
                + high
                + ", "
                + (entry.position() - high)
                + " before this message",
            Evidence.NONE.with(relay).readUpTo(high),
            null)
        : reason(
            Kind.IN_FLIGHT,
            standing.subscription(),
            where + "it was read, and its outcome is awaited or about to be saved",
            Evidence.NONE.with(relay).readUpTo(high),
            null);
  }

  private static String last(@Nullable InstanceState relay) {
    if (relay == null) {
      return "";
    }
    String reason = relay.reason();
    return " ("
        + relay.instance()
        + " was "
        + relay.state()
        + " since "
        + at(relay.since())
        + (reason == null || reason.isEmpty() ? "" : ": " + reason)
        + ")";
  }

  /** Returns whether a cause may keep a message back: not one of another route, topic or type. */
  private static boolean concerns(Cause cause, LedgerEntry entry, TakingRoutes routes) {
    return cause.kind() != Cause.Kind.LACKING
        && (cause.route().isEmpty() || routes.mayTake(cause.route(), entry.message()))
        && isAbout(cause, entry.message());
  }

  private static boolean isAbout(Cause cause, MessageInfo message) {
    String topic = cause.topic();
    String type = cause.type();
    String key = cause.key();
    return (topic == null || topic.equals(message.topic()))
        && (type == null || type.equals(message.type()))
        && (key == null || key.equals(message.key()));
  }

  /**
   * Says why a message is parked.
   *
   * @param head what it is held behind
   */
  static Reason of(Parked row, Optional<Parked> head) {
    String where = in(row);
    if (kind(row) == Kind.HELD) {
      String behind =
          head.map(each -> "held behind " + name(each) + ", which " + failed(each))
              .orElse(BEHIND_ANOTHER);
      return reason(Kind.HELD, row, where + behind, head);
    }
    return reason(kind(row), row, where + "it " + failed(row), Optional.empty());
  }

  private static Kind kind(Parked row) {
    if (row.withdrawn()) {
      return Kind.WITHDRAWN;
    }
    return switch (row.state()) {
      case DEAD -> Kind.DEAD;
      case RETRYING -> Kind.RETRYING;
      case HELD -> Kind.HELD;
    };
  }

  /** Says what the messages of a key wait for that one route has parked, in order. */
  static Reason ofKey(List<Parked> rows, boolean isMore) {
    Optional<Parked> head =
        rows.stream().filter(row -> row.state() != ParkedState.HELD).findFirst();
    Parked first = head.orElse(rows.get(0));
    long held = rows.stream().filter(row -> row.state() == ParkedState.HELD).count();
    String behind =
        held == 0
            ? ""
            : "; " + held + (isMore ? " or more" : "") + " of its key are held behind it";
    String what = kind(first) == Kind.HELD ? " is " + BEHIND_ANOTHER : " " + failed(first);
    return reason(kind(first), first, in(first) + name(first) + what + behind, Optional.empty());
  }

  private static Reason reason(Kind kind, Parked row, String sentence, Optional<Parked> head) {
    return reason(
        kind,
        row.owner().name(),
        sentence,
        Evidence.of(head.map(each -> List.of(row, each)).orElse(List.of(row))),
        head.orElse(row).nextAttemptAt());
  }

  private static String failed(Parked row) {
    if (row.withdrawn()) {
      return "was erased or revised; its owner discards it, and nobody tries it";
    }
    Instant next = row.nextAttemptAt();
    boolean isUntried = row.replayed() && row.attempts() == 0;
    String when = isUntried ? "; it is due at " : "; it is tried again at ";
    String then =
        row.state() == ParkedState.DEAD
            ? "; it is a dead letter: retry or discard it"
            : next == null ? "" : when + at(next);
    String copy = "was published, and a replay publishes it once more";
    String sofar =
        isUntried
            ? copy
            : row.replayed() ? copy + "; that " + failedBefore(row) : failedBefore(row);
    return sofar + then + requested(row.requested());
  }

  private static String failedBefore(Parked row) {
    String error = row.error() == null ? "" : Printable.value(row.error());
    String cut =
        error.length() > ERROR_CHARS_MAX ? error.substring(0, ERROR_CHARS_MAX) + "…" : error;
    return "failed " + times(row.attempts()) + (cut.isEmpty() ? "" : " with: " + cut);
  }

  private static String requested(@Nullable ParkedRequest request) {
    return request == null ? "" : "; a " + request.stored() + " is requested";
  }

  private static String times(int attempts) {
    return attempts == 1 ? "once" : attempts + " times";
  }

  private static String name(Parked row) {
    String key = row.message().key();
    return row.message().id()
        + " at position "
        + row.place().number()
        + (key == null ? "" : " of key " + Printable.value(key));
  }

  private static String in(Parked row) {
    String route = row.place().route();
    String where = row.owner() + (route.isEmpty() ? "" : ", route " + route);
    return where + ": ";
  }

  private static String in(String subscription, int partition) {
    return "subscription " + subscription + (partition == 0 ? "" : "/" + partition) + ": ";
  }

  static String at(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
