// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.Message;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.publish.Outcome.Rejected.Kind;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.BreakerPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The breakers of one route, one for each topic and type that is failing. A key that has a message
 * kept back by one breaker has its later messages kept there too, whatever their type.
 */
final class Breakers {

  record Destination(String topic, String type) {
    static Destination of(Delivery delivery) {
      Message message = delivery.message();
      return new Destination(message.topic(), message.type());
    }
  }

  private final String route;
  private final BreakerPolicy policy;
  private final RandomGenerator random;
  private final RelayListener listener;
  private final Map<Destination, Breaker> breakers = new HashMap<>();
  private final Map<String, KeyStall> stalledKeys = new HashMap<>();
  private final Map<Long, Breaker> probes = new HashMap<>();
  private final Suspects suspects;
  private Load load = Load.NONE;

  /**
   * Makes them, all closed.
   *
   * @param route the route's name, for the listener
   * @param listener is told of each that opens or closes
   * @param suspects the route's: those whose probes have failed
   */
  Breakers(
      String route,
      BreakerPolicy policy,
      RandomGenerator random,
      RelayListener listener,
      Suspects suspects) {
    this.suspects = suspects;
    this.route = route;
    this.policy = policy;
    this.random = random;
    this.listener = listener;
  }

  /** Returns whether earlier messages of the same key are kept back. */
  boolean keepsKeyOf(Delivery delivery) {
    return delivery.key() != null && keepsKey(delivery.key());
  }

  /** Returns whether messages of the key are kept back. */
  boolean keepsKey(String key) {
    return !stalledKeys.isEmpty() && stalledKeys.containsKey(key);
  }

  /** Keeps the message back where its destination, or an earlier message of its key, is. */
  boolean keepBack(Delivery delivery) {
    if (breakers.isEmpty()) {
      return false;
    }
    KeyStall stall = delivery.key() == null ? null : stalledKeys.get(delivery.key());
    Breaker breaker = stall == null ? breakers.get(Destination.of(delivery)) : stall.breaker;
    if (breaker == null || (stall == null && breaker.state() == Breaker.State.CLOSED)) {
      return false;
    }
    keep(delivery, breaker);
    return true;
  }

  /** Takes a rejection, and returns whether the message is kept back and not parked. */
  boolean rejected(Delivery delivery, Rejected rejected, long now) {
    Breaker.State before = stateOf(delivery);
    boolean kept = keepRejected(delivery, rejected, now);
    Breaker.State after = stateOf(delivery);
    if (before != Breaker.State.OPEN && after == Breaker.State.OPEN) {
      Destination suspected = Destination.of(delivery);
      listener.on(
          new RelayEvent.BreakerOpened(
              route, suspected.topic(), suspected.type(), rejected.reason()));
    } else if (before == Breaker.State.OPEN && after == Breaker.State.RATE_LIMITED) {
      tellClosed(Destination.of(delivery), false);
    }
    return kept;
  }

  private boolean keepRejected(Delivery delivery, Rejected rejected, long now) {
    Kind kind = rejected.kind();
    if (kind != Kind.SUSPECT && kind != Kind.TOPIC) {
      return false;
    }
    Breaker breaker =
        breakers.computeIfAbsent(
            Destination.of(delivery), ignored -> new Breaker(policy, random, suspects));
    boolean kept =
        kind == Kind.TOPIC ? breaker.topicRejected(now) : breaker.rejected(delivery, now);
    Breaker probing = probeEnded(delivery);
    if (probing != null) {
      probing.probeFailed(now);
    }
    if (probing != null || suspects.contains(delivery)) {
      kept &= suspects.failed(delivery, rejected) == null;
    }
    if (kept) {
      KeyStall stall = delivery.key() == null ? null : stalledKeys.get(delivery.key());
      keep(delivery, stall == null ? breaker : stall.breaker);
    }
    return kept;
  }

  Breaker.State stateOf(Delivery delivery) {
    if (breakers.isEmpty()) {
      return Breaker.State.CLOSED;
    }
    Breaker breaker = breakers.get(Destination.of(delivery));
    return breaker == null ? Breaker.State.CLOSED : breaker.state();
  }

  /** Takes a success, and returns the messages that were kept back for it. */
  List<Delivery> succeeded(Delivery delivery) {
    if (breakers.isEmpty()) {
      return List.of();
    }
    probeEnded(delivery);
    Destination destination = Destination.of(delivery);
    Breaker breaker = breakers.remove(destination);
    if (breaker == null) {
      return List.of();
    }
    boolean wasClosed = breaker.state() == Breaker.State.CLOSED;
    List<Delivery> free = released(breaker.succeeded());
    if (!wasClosed) {
      tellClosed(destination, true);
    }
    return free;
  }

  /** Returns whether the message is kept back. */
  boolean keeps(Delivery delivery) {
    return breakers.values().stream().anyMatch(breaker -> breaker.keeps(delivery.position()));
  }

  private void tellClosed(Destination destination, boolean recovered) {
    listener.on(
        new RelayEvent.BreakerClosed(route, destination.topic(), destination.type(), recovered));
  }

  /**
   * Notes that a message's outcome has come, and returns the breaker whose probe it was, or null.
   */
  @Nullable Breaker probeEnded(Delivery delivery) {
    Breaker probing = probes.isEmpty() ? null : probes.remove(delivery.position());
    return probing != null && probing.probeEnded(delivery.position()) ? probing : null;
  }

  /** Returns the messages that may be tried now. */
  List<Delivery> release(long now) {
    if (breakers.isEmpty()) {
      return List.of();
    }
    List<Delivery> due = new ArrayList<>();
    for (Breaker breaker : breakers.values()) {
      List<Delivery> free = released(breaker.release(now));
      if (breaker.state() == Breaker.State.OPEN) {
        free.forEach(probe -> probes.put(probe.position(), breaker));
      }
      due.addAll(free);
    }
    return due;
  }

  /** Returns how much is kept back, by all breakers together. */
  Load load() {
    return load;
  }

  /**
   * Takes the messages that are kept back beyond the share, but none of the given keys, since a
   * message is not set aside while an earlier one of its key is being tried: of those breakers
   * first that keep the most, and of each the first ones first.
   */
  List<Delivery> takeOverflow(RouteShare share, Set<String> except) {
    List<Breaker> largestFirst = new ArrayList<>(breakers.values());
    largestFirst.sort(Comparator.comparingInt(Breaker::waitingCount).reversed());
    List<Delivery> over = new ArrayList<>();
    for (Breaker breaker : largestFirst) {
      Delivery next = takeFirstBeyond(share, breaker, except);
      while (next != null) {
        released(next);
        suspects.forget(next);
        over.add(next);
        next = takeFirstBeyond(share, breaker, except);
      }
    }
    // Else there would in the end be one for each topic that anybody ever made up.
    breakers.values().removeIf(Breaker::isForgettable);
    return over;
  }

  private @Nullable Delivery takeFirstBeyond(
      RouteShare share, Breaker breaker, Set<String> except) {
    return share.isExceededBy(load) ? breaker.takeFirst(except) : null;
  }

  /**
   * A key's messages are kept by one breaker, whatever their types: two would mix up their order.
   */
  private void keep(Delivery delivery, Breaker breaker) {
    breaker.keep(delivery);
    load = load.plus(delivery);
    String key = delivery.key();
    if (key != null) {
      stalledKeys.computeIfAbsent(key, ignored -> new KeyStall(breaker)).messages++;
    }
  }

  private List<Delivery> released(List<Delivery> deliveries) {
    deliveries.forEach(this::released);
    return deliveries;
  }

  private void released(Delivery delivery) {
    load = load.minus(delivery);
    KeyStall stall = delivery.key() == null ? null : stalledKeys.get(delivery.key());
    if (stall != null && --stall.messages == 0) {
      stalledKeys.remove(delivery.key());
    }
  }

  private static final class KeyStall {
    private final Breaker breaker;
    private int messages;

    private KeyStall(Breaker breaker) {
      this.breaker = breaker;
    }
  }
}
