// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.parking.Breaker;
import io.outledger.parking.FailingKinds;
import io.outledger.parking.Load;
import io.outledger.parking.Suspects;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.publish.Outcome.Rejected.Kind;
import io.outledger.publish.Outcome.Unavailable;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.BreakerPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The breakers of one route, one for each topic and type that is failing. A key that has a message
 * kept back by one breaker has its later messages kept there too, whatever their type.
 */
final class Breakers {

  record Destination(String topic, String type) {
    static Destination of(Delivery delivery) {
      return new Destination(delivery.topic(), delivery.type());
    }
  }

  private final String route;
  private final BreakerPolicy policy;
  private final RandomGenerator random;
  private final RelayListener listener;
  private final FailingKinds<Destination, KeptBack> breakers =
      new FailingKinds<>(KeptBack::keepsNothing, this::forgotten);

  /** Those that keep messages back, and some that did a moment ago: only these are asked often. */
  private final Set<KeptBack> keeping = new LinkedHashSet<>();

  private final Map<String, KeyStall> stalledKeys = new HashMap<>();
  private final Map<Place, KeptBack> probes = new HashMap<>();
  private final Suspects<Delivery> suspects;
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
      Suspects<Delivery> suspects) {
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

  /** Returns whether a message of the same key that stands before it is kept back. */
  boolean keepsEarlierOf(Delivery delivery) {
    KeyStall stall = delivery.key() == null ? null : stalledKeys.get(delivery.key());
    return stall != null && stall.kept.hasEarlierOf(delivery);
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
    KeptBack kept = stall == null ? breakers.get(Destination.of(delivery)) : stall.kept;
    if (kept == null || (stall == null && kept.breaker().isClosed())) {
      return false;
    }
    keep(delivery, kept);
    return true;
  }

  /** A topic that is known to be to blame, and is silent again, is no sign of an outage. */
  RouteClient.Arrived judge(RouteClient.Arrived arrived) {
    if (breakers.isEmpty()
        || !(arrived.outcome() instanceof Unavailable away)
        || away.kind() != Unavailable.Kind.UNANSWERED) {
      return arrived;
    }
    KeptBack kept = breakers.get(Destination.of(arrived.delivery()));
    return kept != null && kept.breaker().isTopicToBlame()
        ? arrived.meaning(Outcome.topicUnavailable(away.reason()))
        : arrived;
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
    KeptBack own =
        breakers.failed(
            Destination.of(delivery), () -> new KeptBack(new Breaker(policy, random), suspects));
    // The next of the topic that gets through closes the breaker, and then it is sent again.
    boolean opens = kind == Kind.TOPIC && own.breaker().state() != Breaker.State.OPEN;
    boolean keep = isKept(own.breaker(), delivery, kind, now);
    KeptBack probing = probeEnded(delivery);
    boolean isSuspected = suspects.contains(delivery);
    if (probing != null) {
      probing.breaker().probeFailed(now);
    } else if (isSuspected && kind == Kind.TOPIC && !opens) {
      own.breaker().probeFailed(now); // it was its probe until an outage hid the outcome
    }
    if (opens || probing != null || isSuspected) {
      keep &= suspects.failed(delivery, rejected) == null;
    }
    if (keep) {
      KeyStall stall = delivery.key() == null ? null : stalledKeys.get(delivery.key());
      keep(delivery, stall == null ? own : stall.kept);
    }
    return keep;
  }

  private static boolean isKept(Breaker breaker, Delivery delivery, Kind kind, long now) {
    if (kind == Kind.TOPIC) {
      breaker.topicFailed(now);
      return true;
    }
    String key = delivery.key();
    return breaker.failed(key == null ? "id " + delivery.place().id() : "key " + key, now);
  }

  Breaker.State stateOf(Delivery delivery) {
    if (breakers.isEmpty()) {
      return Breaker.State.CLOSED;
    }
    KeptBack kept = breakers.get(Destination.of(delivery));
    return kept == null ? Breaker.State.CLOSED : kept.breaker().state();
  }

  /** Takes a success, and returns the messages that were kept back for it. */
  List<Delivery> succeeded(Delivery delivery) {
    if (breakers.isEmpty()) {
      return List.of();
    }
    probeEnded(delivery);
    Destination destination = Destination.of(delivery);
    KeptBack kept = breakers.remove(destination);
    if (kept == null) {
      return List.of();
    }
    boolean wasClosed = kept.breaker().isClosed();
    List<Delivery> free = kept.succeeded();
    keeping.remove(kept);
    free.forEach(this::released);
    if (!wasClosed) {
      tellClosed(destination, true);
    }
    return free;
  }

  /** Returns whether the message is kept back. */
  boolean keeps(Delivery delivery) {
    return keeping.stream().anyMatch(kept -> kept.contains(delivery));
  }

  private void tellClosed(Destination destination, boolean recovered) {
    listener.on(
        new RelayEvent.BreakerClosed(route, destination.topic(), destination.type(), recovered));
  }

  /**
   * Notes that a message's outcome has come, and returns the breaker whose probe it was, or null.
   */
  @Nullable KeptBack probeEnded(Delivery delivery) {
    KeptBack probing = probes.isEmpty() ? null : probes.remove(delivery.place());
    return probing != null && probing.probeEnded(delivery) ? probing : null;
  }

  /** Returns the messages that may be tried now. */
  List<Delivery> release(long now) {
    if (keeping.isEmpty()) {
      return List.of();
    }
    keeping.removeIf(kept -> kept.count() == 0);
    List<Delivery> due = new ArrayList<>();
    for (KeptBack kept : keeping) {
      Delivery free = kept.release(now);
      if (free != null) {
        released(free);
        if (kept.breaker().state() == Breaker.State.OPEN) {
          probes.put(free.place(), kept);
        }
        due.add(free);
      }
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
   * first that keep the most, and of each the first ones first. Those that are suspected, and what
   * is of their keys, come last: set aside, they would be suspected no longer, and where that
   * happens each time, whoever is to blame would never be found.
   */
  List<Delivery> takeOverflow(RouteShare share, Set<String> except) {
    List<KeptBack> largestFirst = new ArrayList<>(keeping);
    largestFirst.sort(Comparator.comparingInt(KeptBack::count).reversed());
    List<Delivery> over = new ArrayList<>();
    for (KeptBack kept : largestFirst) {
      Set<String> others = kept.suspectedKeys();
      others.addAll(except);
      takeBeyond(share, () -> kept.takeFirstUnsuspected(others), over);
    }
    for (KeptBack kept : largestFirst) {
      takeBeyond(share, () -> kept.takeFirst(except), over);
    }
    breakers.forget(KeptBack::isForgettable);
    return over;
  }

  private void forgotten(Destination of, KeptBack kept) {
    if (!kept.breaker().isClosed()) {
      listener.on(new RelayEvent.BreakerForgotten(route, of.topic(), of.type()));
    }
  }

  /** Takes the message of the row at a place; null where it is not kept back. */
  @Nullable Delivery takeRow(Place place) {
    for (KeptBack kept : breakers.values()) {
      Delivery row = kept.takeRow(place);
      if (row != null) {
        released(row);
        return row;
      }
    }
    return null;
  }

  private void takeBeyond(
      RouteShare share, Supplier<@Nullable Delivery> first, List<Delivery> over) {
    Delivery next = share.isExceededBy(load) ? first.get() : null;
    while (next != null) {
      released(next);
      suspects.forget(next);
      over.add(next);
      next = share.isExceededBy(load) ? first.get() : null;
    }
  }

  /**
   * A key's messages are kept by one breaker, whatever their types: two would mix up their order.
   */
  private void keep(Delivery delivery, KeptBack kept) {
    kept.add(delivery);
    keeping.add(kept);
    load = load.plus(delivery.load());
    String key = delivery.key();
    if (key != null) {
      stalledKeys.computeIfAbsent(key, ignored -> new KeyStall(kept)).messages++;
    }
  }

  private void released(Delivery delivery) {
    load = load.minus(delivery.load());
    KeyStall stall = delivery.key() == null ? null : stalledKeys.get(delivery.key());
    if (stall != null && --stall.messages == 0) {
      stalledKeys.remove(delivery.key());
    }
  }

  private static final class KeyStall {
    private final KeptBack kept;
    private int messages;

    private KeyStall(KeptBack kept) {
      this.kept = kept;
    }
  }
}
