// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static java.time.temporal.ChronoUnit.SECONDS;

import io.outledger.Printable;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Knows whether the relays of this process get on, for a health indicator; of a divided
 * subscription, that of each partition. A relay gets on while it runs or stands by. It does not
 * while it is refused, while its database fails, or while too many positions are open. A receiver
 * that has ended is not well either; where that is wanted, nor when a destination, or the broker of
 * a receiver, has been away for a while. Without a serializer no application is well. Thread-safe;
 * no I/O.
 */
public final class RelayProgress implements RelayListenerSource {

  private static final Duration AWAY_MAX = Duration.ofMinutes(1);

  /** How many breakers or pauses of a relay are named. */
  private static final int SHOWN_MAX = 10;

  private static final Pattern CODE = Pattern.compile("OUT-\\d{3}");

  /** Ends what is told without its reason. */
  static final String REST = "; the log has the rest";

  private static final String RUNNING = "running";

  private static final String BLOCKED = "blocked";

  /** Running, and nobody knows yet whether its destinations can be reached. */
  private static final String UNTRIED = RUNNING + "; nothing tried yet";

  private static final String SERIALIZER = "payload serializer";

  private final TimeSource time;
  private final boolean wantsDestinations;
  private final Supplier<String> serializerTrouble;
  private final Receivers receivers;
  private final Map<String, Subscription> relays = new ConcurrentHashMap<>();

  /**
   * Creates it.
   *
   * @param wantsDestinations whether a relay whose destination is away does not get on
   * @param serializerTrouble says what is wrong with the serializer of events; empty if nothing is
   * @param receivers the receivers of this process
   */
  RelayProgress(
      TimeSource time,
      boolean wantsDestinations,
      Supplier<String> serializerTrouble,
      Receivers receivers) {
    this.time = time;
    this.wantsDestinations = wantsDestinations;
    this.serializerTrouble = serializerTrouble;
    this.receivers = receivers;
  }

  /**
   * The receivers of this process.
   *
   * @param progress whether they reach their brokers
   * @param states describes each that was started in a few words, by consumer
   */
  record Receivers(ReceiverProgress progress, Supplier<Map<String, String>> states) {}

  /**
   * Returns whether every relay of this process gets on, or there is none, and events can be
   * appended and read.
   */
  public boolean isWell() {
    Instant awayBefore = time.now().minus(AWAY_MAX);
    return serializerTrouble.get().isEmpty()
        && !receivers.progress().hasEnded()
        && each().allMatch(relay -> isWell(relay, awayBefore))
        && !(wantsDestinations && receivers.progress().isAwaySince(awayBefore));
  }

  /**
   * Returns whether every relay of this process reaches its destinations now, and every receiver of
   * a listener what it receives from, as far as they have tried.
   */
  public boolean reachesDestinations() {
    return each().noneMatch(relay -> relay.isAwaySince(Instant.MAX))
        && !receivers.progress().isAway();
  }

  private Stream<Relay> each() {
    return relays.values().stream().flatMap(subscription -> subscription.all().stream());
  }

  private boolean isWell(Relay relay, Instant awayBefore) {
    return relay.isWell() && !(wantsDestinations && relay.isAwaySince(awayBefore));
  }

  /**
   * Describes each relay in a few words, by subscription, and each receiver of a listener, by its
   * consumer after {@code receiver}. A failure is told by its code alone: its text, which may name
   * servers and users, is in the log.
   */
  public Map<String, Object> details() {
    Map<String, Object> details = new TreeMap<>(relays());
    receivers.states().get().forEach((name, words) -> details.put("receiver " + name, words));
    String trouble = serializerTrouble.get();
    if (!trouble.isEmpty()) {
      details.put(SERIALIZER, trouble + REST);
    }
    return details;
  }

  /** Describes each relay in the same words, by subscription. */
  Map<String, String> relays() {
    Map<String, String> words = new TreeMap<>();
    relays.forEach((subscription, told) -> words.put(subscription, told.toString()));
    return words;
  }

  /** Returns the error's code at the start of a reason: its text may name servers and users. */
  static String code(String reason) {
    Matcher code = CODE.matcher(reason);
    return code.lookingAt() ? code.group() : "an error without a code";
  }

  /** Lists the first of those that last, and counts the rest: senders choose topics and types. */
  static void list(StringBuilder words, String before, Map<String, Instant> lasting) {
    lasting.entrySet().stream()
        .limit(SHOWN_MAX)
        .forEach(each -> since(words, before + each.getKey(), each.getValue()));
    rest(words, lasting.size());
  }

  private static void rest(StringBuilder words, int all) {
    if (all > SHOWN_MAX) {
      words.append("; and ").append(all - SHOWN_MAX).append(" more");
    }
  }

  private static void since(StringBuilder words, String what, Instant since) {
    words.append("; ").append(what).append(" since ").append(since.truncatedTo(SECONDS));
  }

  @Override
  public RelayListener listener(String subscription) {
    Subscription told = new Subscription();
    relays.put(subscription, told);
    return told;
  }

  /** What the relay of a subscription has told, or that of each of its partitions. */
  private final class Subscription implements RelayListener {

    private final Relay undivided = new Relay();
    private final Map<Integer, Relay> partitions = new ConcurrentSkipListMap<>();

    @Override
    public void on(RelayEvent event) {
      undivided.on(event, time.now());
    }

    @Override
    public RelayListener ofPartition(int partition) {
      Relay relay = new Relay();
      partitions.put(partition, relay);
      return event -> relay.on(event, time.now());
    }

    Collection<Relay> all() {
      return partitions.isEmpty() ? Set.of(undivided) : partitions.values();
    }

    /** Partitions that say the same are named together. */
    @Override
    public String toString() {
      if (partitions.isEmpty()) {
        return undivided.toString();
      }
      Map<String, List<Integer>> numbers = new LinkedHashMap<>();
      partitions.forEach(
          (number, relay) ->
              numbers.computeIfAbsent(relay.toString(), any -> new ArrayList<>()).add(number));
      return numbers.size() == 1
          ? numbers.keySet().iterator().next()
          : numbers.entrySet().stream()
              .map(same -> partitions(same.getValue()) + ": " + same.getKey())
              .collect(Collectors.joining(" | "));
    }

    private static String partitions(List<Integer> numbers) {
      return numbers.stream()
          .map(String::valueOf)
          .collect(
              Collectors.joining(", ", numbers.size() == 1 ? "partition " : "partitions ", ""));
    }
  }

  /** What one relay has told of itself. */
  private static final class Relay {

    private final Map<String, Instant> away = new TreeMap<>();
    private final Map<String, Instant> breakers = new TreeMap<>();
    private final Map<String, Instant> failing = new TreeMap<>(); // probing has ended in vain
    private final Set<String> pauses = new TreeSet<>();
    private String state = "starting";
    private String trouble = "";
    private boolean hasTried; // before, nobody knows whether the destination can be reached

    synchronized void on(RelayEvent event, Instant now) {
      if (event instanceof RelayEvent.LeaseTaken) {
        become(RUNNING, "");
        forget();
      } else if (event instanceof RelayEvent.StandsBy
          || event instanceof RelayEvent.LeaseLost
          || event instanceof RelayEvent.Moved) {
        become("standing by", "");
        forget();
      } else if (event instanceof RelayEvent.Refused refused) {
        become("refused", code(refused.reason()));
      } else if (event instanceof RelayEvent.StoreFailed failed) {
        become("without its database", code(failed.reason()));
      } else if (event instanceof RelayEvent.TooManyOpen) {
        become(BLOCKED, "too many open positions");
      } else if (event instanceof RelayEvent.ReadsOn) {
        become(RUNNING, "");
      } else if (event instanceof RelayEvent.Saved saved) {
        if (!state.equals(BLOCKED)) { // it saves what it had read, and reads nothing
          become(RUNNING, "");
        }
        hasTried |= saved.published() > 0;
      } else if (event instanceof RelayEvent.Recovered || event instanceof RelayEvent.Died) {
        hasTried = true;
      } else if (event instanceof RelayEvent.Parked parked) {
        hasTried |= parked.attempts() > 0;
      } else if (event instanceof RelayEvent.OutageBegan met) {
        away.putIfAbsent(met.route(), now);
        hasTried = true;
      } else if (event instanceof RelayEvent.OutageOver over) {
        away.remove(over.route());
      } else if (event instanceof RelayEvent.BreakerOpened opened) {
        String kind = kind(opened.type(), opened.topic(), opened.route());
        Instant since = failing.remove(kind);
        breakers.putIfAbsent(kind, since == null ? now : since);
        hasTried = true;
      } else if (event instanceof RelayEvent.BreakerClosed closed) {
        String kind = kind(closed.type(), closed.topic(), closed.route());
        Instant since = breakers.remove(kind);
        failing.remove(kind);
        if (!closed.recovered()) {
          failing.put(kind, since == null ? now : since);
        }
      } else if (event instanceof RelayEvent.BreakerForgotten forgotten) {
        breakers.remove(kind(forgotten.type(), forgotten.topic(), forgotten.route()));
      } else if (event instanceof RelayEvent.PausesChanged changed) {
        pause(changed.pauses());
      } else if (event instanceof RelayEvent.Closed) {
        become("stopped", "");
        forget();
      }
    }

    /** Keys are counted, and not named: they may be those of people. */
    private void pause(Set<Paused> all) {
      pauses.clear();
      int keys = 0;
      for (Paused each : all) {
        if (each.scope().kind() == PauseScope.Kind.KEY) {
          keys++;
        } else {
          pauses.add(Printable.text(each.scope()));
        }
      }
      if (keys > 0) {
        pauses.add(Printable.count(keys, "key"));
      }
    }

    private static String kind(String type, String topic, String route) {
      return Printable.value(type) + " to " + Printable.value(topic) + in(route);
    }

    private static String in(String route) {
      return route.isEmpty() ? "" : " of route " + route;
    }

    /** Whoever owns the subscription tells it again. */
    private void forget() {
      away.clear();
      breakers.clear();
      failing.clear();
      pauses.clear();
      hasTried = false;
    }

    private void become(String newState, String why) {
      state = newState;
      trouble = why;
    }

    synchronized boolean isWell() {
      return trouble.isEmpty();
    }

    synchronized boolean isAwaySince(Instant awayBefore) {
      return away.values().stream().anyMatch(each -> each.isBefore(awayBefore));
    }

    @Override
    public synchronized String toString() {
      StringBuilder words = new StringBuilder(state);
      if (!trouble.isEmpty()) {
        words.append(": ").append(trouble);
      }
      away.forEach(
          (route, since) -> since(words, "cannot reach the destination" + in(route), since));
      list(words, "breaker open for ", breakers);
      list(words, "still failing, and parked: ", failing);
      pauses.stream()
          .limit(SHOWN_MAX)
          .forEach(what -> words.append("; an operator has paused ").append(what));
      rest(words, pauses.size());
      if (!words.toString().equals(state)) {
        return words + REST;
      }
      return state.equals(RUNNING) && !hasTried ? UNTRIED : state;
    }
  }
}
