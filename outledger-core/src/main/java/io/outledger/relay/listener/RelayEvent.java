// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.listener;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.Declaration;
import io.outledger.store.Paused;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A transition of a relay, as its listener is told. */
public sealed interface RelayEvent {

  /** How long a piece of work took: told for each, thousands a second where there is a backlog. */
  sealed interface Measured extends RelayEvent {

    /** Returns how long it took, by the monotonic clock. */
    Duration took();
  }

  /** The relay read a page of the ledger, or looked again at what is open. */
  record Polled(Duration took) implements Measured {}

  /** The relay wrote its cursor and what has become of parked messages, as one transaction. */
  record Wrote(Duration took) implements Measured {}

  /**
   * A route published or handled a message; that is not saved yet.
   *
   * @param route the route's name; empty for an only one
   * @param took from when it was handed to the publisher until its outcome came; where a handler is
   *     the publisher, its work and its place in the line before it
   * @param age from the message's own time until now; never negative. For a message that was
   *     appended with the time of its append, how late it came out. That time is by the clock of
   *     whoever made the message, and now by the relay's: it is wrong by as much as they differ
   */
  record Delivered(String route, Duration took, Duration age) implements Measured {}

  /**
   * A handler has ended its work on a message, whatever came of it. Publishers that are no handlers
   * tell nothing of it.
   *
   * @param route the route's name; empty for an only one
   * @param took from when a thread took the message up until the handler returned or threw, its
   *     transaction included; until the relay gave it up where that came first
   */
  record Handled(String route, Duration took) implements Measured {}

  /** The relay owns its subscription now and continues from the frontier. */
  record LeaseTaken(UUID incarnation, Frontier from) implements RelayEvent {}

  /** The relay owns its subscription no longer; what it had in flight is published again. */
  record LeaseLost(String reason, int inFlight) implements RelayEvent {}

  /**
   * An operator has moved the subscription: the relay takes its lease again and continues from the
   * new place. What it had in flight may be published again.
   */
  record Moved(int inFlight) implements RelayEvent {}

  /** The relay has given its lease back, with nothing in flight. */
  record LeaseReleased(Frontier at) implements RelayEvent {}

  /**
   * The relay saved its frontier, with the number of messages published and skipped since the last
   * save.
   */
  record Saved(Frontier frontier, int published, int filtered) implements RelayEvent {}

  /** Holes were proven dead and dropped: rolled-back transactions had drawn their numbers. */
  record HolesDropped(Positions holes) implements RelayEvent {}

  /**
   * The relay stands by: it has looked, and another one owns its subscription, or may.
   *
   * @param reason why nobody may own it for now; null where another one may
   */
  record StandsBy(@Nullable String reason) implements RelayEvent {

    /** Makes one of a relay whose subscription another one may own. */
    public StandsBy() {
      this(null);
    }
  }

  /** Too many positions are open for the relay to read on; the text names the blocking session. */
  record TooManyOpen(int ranges, String blockers) implements RelayEvent {}

  /** The relay resumed reading, because few enough positions are open. */
  record ReadsOn(int ranges) implements RelayEvent {}

  /**
   * A message was parked and will be tried again: it was rejected, or it was parked without an
   * attempt because too many messages wait before it.
   */
  record Parked(Subject message, int attempts, String reason) implements RelayEvent {}

  /** A message waits behind a parked message of its key. */
  record Held(Subject message) implements RelayEvent {}

  /** A message is a dead letter now. */
  record Died(Subject message, int attempts, String reason) implements RelayEvent {}

  /** A parked message was published or handled at last, at its attempt of this number. */
  record Recovered(Subject message, int attempt) implements RelayEvent {}

  /** A parked message is parked no longer, because its route no longer takes it. */
  record NotTaken(Subject message) implements RelayEvent {}

  /** A dead letter was discarded, as an operator wanted. */
  record Discarded(Subject message) implements RelayEvent {}

  /** A message was settled without being published, because an operator has erased it. */
  record Erased(Subject message) implements RelayEvent {}

  /**
   * A message was rejected after later messages of its key had been sent, and one of those was, or
   * may have been, published. If this message is published later, it comes after them.
   */
  record OvertakenByKey(Subject message) implements RelayEvent {}

  /**
   * A message has had no outcome for the given time, at least a minute. Later messages of its key
   * wait for it.
   */
  record Overdue(Subject message, Duration taken) implements RelayEvent {}

  /** The route has no overdue message any more. */
  record OverdueEnded(String route) implements RelayEvent {}

  /** The destination cannot be reached; the next probe is due after the delay. */
  record OutageBegan(String route, String reason, int failures, Duration nextProbe)
      implements RelayEvent {}

  /** The destination is reachable again. */
  record OutageOver(String route) implements RelayEvent {}

  /**
   * The breaker of a topic and type opened: several keys were rejected in a row, or a rejection
   * said that the topic itself is the cause.
   */
  record BreakerOpened(String route, String topic, String type, String reason)
      implements RelayEvent {}

  /**
   * A message of the topic and type was published again, or probing has lasted long enough.
   *
   * @param recovered whether one was published; else each is tried, at a limited rate, and parked
   *     where it is rejected, until one is published: then this is told once more
   */
  record BreakerClosed(String route, String topic, String type, boolean recovered)
      implements RelayEvent {}

  /**
   * An open breaker was forgotten, because no message is kept back by it any more: all were set
   * aside. The topic may be as broken as before; the next rejection opens another breaker.
   */
  record BreakerForgotten(String route, String topic, String type) implements RelayEvent {}

  /**
   * Messages are parked in a route that this relay does not have. They wait until a relay with the
   * route runs, or an operator discards them. Told every ten minutes.
   */
  record ParkedElsewhere(String route, long messages) implements RelayEvent {}

  /**
   * Other instances have declared what this owner does not have. Messages for it are parked until
   * an instance that has it owns the subscription, or an operator ends the declaration.
   *
   * @param declarations what it lacks now; empty where it lacks nothing any more
   */
  record Lacks(Set<Declaration> declarations) implements RelayEvent {}

  /**
   * Reading waits, or no longer does: memory is to hold no more keys that wait for an instance that
   * has what this one lacks.
   *
   * @param declarations what it lacks; empty where it reads on
   * @param keysMax more keys than these have parked messages in a route
   */
  record WaitsForOthers(Set<Declaration> declarations, int keysMax) implements RelayEvent {}

  /** The relay gives its lease to an instance that stands by and has what this one lacks. */
  record HandsOver(Set<Declaration> declarations) implements RelayEvent {}

  /** What this instance has had been ended, by an operator or as replaced: it declares it again. */
  record DeclaredAgain(Set<Declaration> declarations) implements RelayEvent {}

  /**
   * What is paused of the subscription has changed. A paused route, or all of them, sends nothing;
   * messages of a paused topic or key are parked until it is resumed.
   *
   * @param pauses what is paused now; empty where nothing is any more
   */
  record PausesChanged(Set<Paused> pauses) implements RelayEvent {}

  /** The database failed; the relay has forgotten what it held and loads it again. */
  record StoreFailed(String reason) implements RelayEvent {}

  /** A required condition is not met; the relay publishes nothing until it is, and looks again. */
  record Refused(String reason) implements RelayEvent {}

  /** The relay was closed. */
  record Closed() implements RelayEvent {}
}
