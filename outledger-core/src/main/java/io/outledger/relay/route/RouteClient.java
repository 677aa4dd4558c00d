// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.log.QuietLog;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.context.UserCode;
import io.outledger.relay.context.Wakeup;
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
  private Arrivals arrivals;
  private volatile @Nullable PublisherClient client;
  private volatile boolean aborted;
  private boolean couldOpen = true;

  /** Why nothing is handed over until the client is closed; null while it may be. */
  private @Nullable String refusal;

  private boolean isFateUnknown;

  RouteClient(
      Publisher publisher, Duration deliveryTimeMax, Wakeup wakeup, TimeSource time, QuietLog log) {
    this.publisher = publisher;
    this.time = time;
    this.deliveryTimeMax = deliveryTimeMax;
    this.wakeup = wakeup;
    this.log = log;
    this.arrivals = new Arrivals(wakeup, time);
  }

  /** A message and what became of it. */
  record Arrived(Delivery delivery, Outcome outcome) {}

  /** A message on its way, and since when. */
  record Sent(Delivery delivery, long atNanos) {}

  /**
   * Hands a message over; one that cannot be is reported as unavailable like any other. So are all
   * after it until the client is closed: they must not get through where it did not.
   */
  void send(Delivery delivery) {
    inFlight.put(delivery.position(), new Sent(delivery, time.nanoTime()));
    if (refusal != null) {
      report(delivery, refusal);
      return;
    }
    try {
      PublisherClient open = client;
      if (open == null) {
        open = opened();
        client = open;
      }
      if (aborted) {
        close(open);
        report(delivery, "the lease expired before the message was sent");
        return;
      }
      open.publish(delivery.position(), delivery.attempt(), delivery.message());
    } catch (DestinationUnavailableException e) {
      refusal = String.valueOf(e.getMessage());
      report(delivery, refusal);
    } catch (Throwable e) {
      contractBroken("at " + delivery.in(""), e);
      refusal = "the publisher failed: " + UserCode.describe(e);
      report(delivery, refusal);
    } finally {
      UserCode.clearInterrupt();
    }
  }

  /** That a client cannot be opened is not caused by a message: the destination is unavailable. */
  private PublisherClient opened() {
    try {
      PublisherClient open = publisher.open(deliveryTimeMax, arrivals);
      couldOpen = true;
      return open;
    } catch (DestinationUnavailableException e) {
      throw e;
    } catch (Throwable e) {
      String reason = "could not open the publisher: " + UserCode.describe(e);
      if (couldOpen) {
        couldOpen = false;
        log.fails(Level.ERROR, "open", () -> "could not open the publisher", e);
      }
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

  private void report(Delivery delivery, String reason) {
    arrivals.report(delivery.position(), Outcome.unavailable(reason));
  }

  void flush() {
    PublisherClient open = client;
    if (open == null || inFlight.isEmpty()) {
      return;
    }
    try {
      open.flush();
    } catch (Throwable e) {
      contractBroken("at a flush", e);
      refusal = "the publisher failed: " + UserCode.describe(e);
      report(inFlight.values().iterator().next().delivery(), refusal);
    } finally {
      UserCode.clearInterrupt();
    }
  }

  /** Returns the next message whose outcome has come, or null where none has. */
  @Nullable Arrived next() {
    Arrivals.Arrival arrival = arrivals.next();
    while (arrival != null) {
      Sent sent = inFlight.remove(arrival.position());
      if (sent != null) {
        return new Arrived(sent.delivery(), outcome(sent, arrival));
      }
      arrival = arrivals.next();
    }
    return null;
  }

  private Outcome outcome(Sent sent, Arrivals.Arrival arrival) {
    Outcome outcome = arrival.outcome();
    if (outcome instanceof Outcome.Published) {
      answers.published(sent.delivery().message().topic(), arrival.atNanos());
    } else if (outcome instanceof Outcome.Unavailable away) {
      if (away.kind() == Outcome.Unavailable.Kind.UNANSWERED) {
        outcome = answers.judge(sent.delivery(), away, sent.atNanos(), arrival.atNanos());
      }
      isFateUnknown |= outcome instanceof Outcome.Unavailable && !away.isFateKnown();
    }
    return outcome;
  }

  /** Returns the messages in flight, by position. */
  Map<Long, Sent> inFlight() {
    return inFlight;
  }

  /** Returns whether a message of this position is on its way. */
  boolean isBusyAt(long position) {
    return inFlight.containsKey(position);
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
  Set<Long> followersOf(Delivery delivery) {
    String key = delivery.key();
    Set<Long> followers = new HashSet<>();
    if (key != null) {
      for (Sent sent : inFlight.values()) {
        if (sent.delivery().isBehind(delivery)) {
          followers.add(sent.delivery().position());
        }
      }
    }
    return followers;
  }

  /**
   * Closes the client, unless every message that was handed to it has an outcome, and none an
   * unknown fate: such a client continues when the destination is back.
   */
  void closeUnlessIntact() {
    if (isFateUnknown || refusal != null || !inFlight.isEmpty()) {
      close();
    }
  }

  /**
   * Closes the client. Outcomes that came before are still returned by {@link #next()}; the
   * messages without one are returned by {@link #takeUnanswered()}.
   */
  void close() {
    PublisherClient open = client;
    if (open == null) {
      return;
    }
    close(open);
    client = null; // not before it is closed: abort() must find it for as long as it may send
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
    refusal = null;
    isFateUnknown = false;
    if (client == null) {
      arrivals = new Arrivals(wakeup, time);
    }
    return left;
  }

  /** Ends all sending, from any thread, because the relay's deadline has passed. */
  void abort() {
    aborted = true;
    PublisherClient open = client;
    if (open != null) {
      close(open);
    }
  }
}
