// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.Printable;
import io.outledger.log.QuietLog;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.context.UserCode;
import io.outledger.relay.context.Wakeup;
import io.outledger.relay.options.Route;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * A route's client and the messages handed to it. Used by the relay's thread, but for {@link
 * #abort()}.
 */
final class RouteClient {

  private final Publisher publisher;
  private final Duration deliveryTimeMax;
  private final Wakeup wakeup;
  private final QuietLog log;
  private final TimeSource time;
  private final Map<Long, Sent> inFlight = new HashMap<>();
  private final Answers answers = new Answers();
  private volatile Session session;
  private volatile boolean aborted;

  /** Makes the client of a route. */
  static RouteClient of(Route route, RelayContext context) {
    String name = route.name().isEmpty() ? "its only route" : "route " + route.name();
    return new RouteClient(
        route.publisher(),
        context.options().lease().dividedBy(2),
        context.wakeup(),
        context.time(),
        new QuietLog(RouteClient.class, "relay, " + name, context.time()));
  }

  RouteClient(
      Publisher publisher, Duration deliveryTimeMax, Wakeup wakeup, TimeSource time, QuietLog log) {
    this.publisher = publisher;
    this.time = time;
    this.deliveryTimeMax = deliveryTimeMax;
    this.wakeup = wakeup;
    this.log = log;
    this.session = new Session(wakeup, time);
  }

  /** A client from before it is opened until it is closed, and what it has come to. */
  private static final class Session {

    private final Arrivals arrivals;
    private volatile @Nullable PublisherClient client;

    /** Why nothing is handed over any more; null while it may be. */
    private @Nullable String refusal;

    private boolean isFateUnknown;

    Session(Wakeup wakeup, TimeSource time) {
      this.arrivals = new Arrivals(wakeup, time);
    }
  }

  /**
   * A message and what became of it.
   *
   * @param outcome what that means
   * @param reported what its publisher reported: an answer, or that there was none
   * @param tookNanos how long it was on its way
   * @param worked how long its handler took of that; null where there is no handler
   */
  record Arrived(
      Delivery delivery,
      Outcome outcome,
      Outcome reported,
      long tookNanos,
      @Nullable Duration worked) {

    /** Returns the same with another meaning. */
    Arrived meaning(Outcome other) {
      return new Arrived(delivery, other, reported, tookNanos, worked);
    }

    /** Returns whether it was not taken because an earlier one of its key was rejected. */
    boolean isBehind() {
      return outcome instanceof Outcome.Rejected rejected
          && rejected.kind() == Outcome.Rejected.Kind.BEHIND;
    }
  }

  /** A message on its way, and since when. */
  record Sent(Delivery delivery, long atNanos) {}

  /**
   * Hands a message over; one that cannot be is reported as unavailable like any other. So are all
   * after it until the client is closed: they must not get through where it did not. Once all
   * sending was ended it stays without an outcome, as what was on its way does.
   */
  void send(Delivery delivery) {
    inFlight.put(delivery.position(), new Sent(delivery, time.nanoTime()));
    if (session.refusal != null) {
      report(delivery, session.refusal);
      return;
    }
    try {
      PublisherClient open = session.client;
      if (open == null) {
        open = opened();
        session.client = open;
      }
      if (aborted) {
        close(open);
        return;
      }
      open.publish(delivery.position(), delivery.attempt(), delivery.message());
    } catch (DestinationUnavailableException e) {
      refuse(delivery, String.valueOf(e.getMessage()));
    } catch (Throwable e) {
      contractBroken("at " + delivery.in(""), e);
      refuse(delivery, "the publisher failed: " + Printable.text(e));
    } finally {
      UserCode.clearInterrupt();
    }
  }

  /** That a client cannot be opened is not caused by a message: the destination is unavailable. */
  private PublisherClient opened() {
    try {
      PublisherClient open = publisher.open(deliveryTimeMax, session.arrivals);
      log.over("open");
      return open;
    } catch (DestinationUnavailableException e) {
      throw e;
    } catch (Throwable e) {
      String reason = "could not open the publisher: " + Printable.text(e);
      log.fails(Level.ERROR, "open", () -> "could not open the publisher", e);
      throw new DestinationUnavailableException(reason, null);
    }
  }

  private void contractBroken(String when, Throwable thrown) {
    log.fails(
        Level.ERROR,
        "contract",
        () ->
            "the publisher threw an exception %s, which its contract forbids; messages without an"
                    .formatted(when)
                + " outcome are sent again",
        thrown);
  }

  /** Reports a message, and hands nothing over until the client is closed. */
  private void refuse(Delivery delivery, String reason) {
    session.refusal = reason;
    report(delivery, reason);
  }

  private void report(Delivery delivery, String reason) {
    session.arrivals.report(delivery.position(), Outcome.unavailable(reason));
  }

  void flush() {
    PublisherClient open = session.client;
    if (open == null || inFlight.isEmpty()) {
      return;
    }
    try {
      open.flush();
    } catch (Throwable e) {
      contractBroken("at a flush", e);
      Delivery any = inFlight.values().iterator().next().delivery();
      refuse(any, "the publisher failed: " + Printable.text(e));
    } finally {
      UserCode.clearInterrupt();
    }
  }

  /** Returns the next message whose outcome has come, or null where none has. */
  @Nullable Arrived next() {
    Arrivals.Arrival arrival = session.arrivals.next();
    while (arrival != null) {
      Sent sent = isOfAbortion(arrival) ? null : inFlight.remove(arrival.position());
      if (sent != null) {
        long took = arrival.atNanos() - sent.atNanos();
        Outcome outcome = outcome(sent, arrival);
        return new Arrived(sent.delivery(), outcome, arrival.outcome(), took, arrival.worked());
      }
      arrival = session.arrivals.next();
    }
    return null;
  }

  /** That the deadline has passed says nothing of the destination: no outage begins by it. */
  private boolean isOfAbortion(Arrivals.Arrival arrival) {
    return aborted && arrival.outcome() instanceof Outcome.Unavailable;
  }

  private Outcome outcome(Sent sent, Arrivals.Arrival arrival) {
    Outcome outcome = arrival.outcome();
    if (outcome instanceof Outcome.Published) {
      answers.published(sent.delivery().message().topic(), sent.atNanos(), arrival.atNanos());
    } else if (outcome instanceof Outcome.Unavailable away) {
      if (away.kind() == Outcome.Unavailable.Kind.UNANSWERED) {
        outcome = answers.judge(sent.delivery(), away, sent.atNanos(), arrival.atNanos());
      }
      session.isFateUnknown |= outcome instanceof Outcome.Unavailable && !away.isFateKnown();
    }
    return outcome;
  }

  /** Returns the messages in flight, by position: of each there is one at a time. */
  Map<Long, Sent> inFlight() {
    return inFlight;
  }

  /** Returns whether a message of this position is on its way: this one, or another ledger's. */
  boolean isBusyAt(long position) {
    return inFlight.containsKey(position);
  }

  /** Returns whether this message is on its way. */
  boolean isUnderway(Delivery delivery) {
    Sent sent = inFlight.get(delivery.position());
    return sent != null && sent.delivery().isAt(delivery.place());
  }

  int inFlightCount() {
    return inFlight.size();
  }

  /** Returns the keys of the messages that are on their way. */
  Set<String> keysInFlight() {
    Set<String> keys = new HashSet<>();
    for (Sent sent : inFlight.values()) {
      String key = sent.delivery().key();
      if (key != null) {
        keys.add(key);
      }
    }
    return keys;
  }

  /** Says whether an earlier message of the same key is on its way. */
  boolean hasEarlier(Delivery delivery) {
    return inFlight.values().stream().anyMatch(sent -> delivery.isBehind(sent.delivery()));
  }

  /** Returns the later messages of the same key that are on their way. */
  Set<Place> followersOf(Delivery delivery) {
    String key = delivery.key();
    Set<Place> followers = new HashSet<>();
    if (key != null) {
      for (Sent sent : inFlight.values()) {
        if (sent.delivery().isBehind(delivery)) {
          followers.add(sent.delivery().place());
        }
      }
    }
    return followers;
  }

  /** Takes back what was handed over and has not begun; no outcome of it will come. */
  List<Delivery> recall() {
    PublisherClient open = session.client;
    List<Delivery> back = new ArrayList<>();
    if (open == null || inFlight.isEmpty()) {
      return back;
    }
    try {
      for (long position : open.recall()) {
        Sent sent = inFlight.remove(position);
        if (sent != null) {
          back.add(sent.delivery());
        }
      }
    } catch (Throwable e) {
      contractBroken("when messages were recalled", e);
    } finally {
      UserCode.clearInterrupt();
    }
    return back;
  }

  /**
   * Closes the client, unless every message that was handed to it has an outcome, and none an
   * unknown fate: such a client continues when the destination is back.
   */
  void closeUnlessIntact() {
    if (session.isFateUnknown || session.refusal != null || !inFlight.isEmpty()) {
      close();
    }
  }

  /**
   * Closes the client. Outcomes that came before are still returned by {@link #next()}; the
   * messages without one are returned by {@link #takeUnanswered()}.
   */
  void close() {
    PublisherClient open = session.client;
    if (open == null) {
      return;
    }
    close(open);
    session.client =
        null; // not before it is closed: abort() must find it for as long as it may send
  }

  private void close(PublisherClient open) {
    try {
      open.close();
    } catch (Throwable e) {
      contractBroken("when it was closed", e);
    } finally {
      UserCode.clearInterrupt();
    }
  }

  /** Takes the messages that the closed client left without an outcome. */
  List<Delivery> takeUnanswered() {
    List<Delivery> left = new ArrayList<>();
    inFlight.values().forEach(sent -> left.add(sent.delivery()));
    inFlight.clear();
    if (session.client == null) {
      session = new Session(wakeup, time);
    }
    return left;
  }

  /** Ends all sending, from any thread, because the relay's deadline has passed. */
  void abort() {
    aborted = true;
    PublisherClient open = session.client;
    if (open != null) {
      close(open);
    }
  }
}
