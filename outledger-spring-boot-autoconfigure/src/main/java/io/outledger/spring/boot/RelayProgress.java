// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Knows whether the relays of this process get on, for a health indicator. A relay gets on while it
 * runs or stands by. It does not while it is refused, while its database fails, while too many
 * positions are open, or when a destination has been away for a while. Without a serializer no
 * application is well. Thread-safe; no I/O.
 */
public final class RelayProgress implements RelayListenerSource {

  private static final Duration AWAY_MAX = Duration.ofMinutes(1);

  private static final String SERIALIZER = "payload serializer";

  private final TimeSource time;
  private final BooleanSupplier isWithoutSerializer;
  private final Map<String, Relay> relays = new ConcurrentHashMap<>();

  /**
   * Creates it.
   *
   * @param isWithoutSerializer whether the serializer of events cannot be made
   */
  RelayProgress(TimeSource time, BooleanSupplier isWithoutSerializer) {
    this.time = time;
    this.isWithoutSerializer = isWithoutSerializer;
  }

  /**
   * Returns whether every relay of this process gets on, or there is none, and events can be
   * appended and read.
   */
  public boolean isWell() {
    return !isWithoutSerializer.getAsBoolean()
        && relays.values().stream().allMatch(relay -> relay.isWell(time.now().minus(AWAY_MAX)));
  }

  /**
   * Describes each relay in a few words, by subscription. A failure is told by its code alone: its
   * text, which may name servers and users, is in the log.
   */
  public Map<String, Object> details() {
    Map<String, Object> details = new TreeMap<>();
    relays.forEach((subscription, relay) -> details.put(subscription, relay.toString()));
    if (isWithoutSerializer.getAsBoolean()) {
      details.put(SERIALIZER, "cannot be made; the log has the rest");
    }
    return details;
  }

  @Override
  public RelayListener listener(String subscription) {
    Relay relay = new Relay();
    relays.put(subscription, relay);
    return event -> relay.on(event, time.now());
  }

  /** What one relay has told of itself. */
  private static final class Relay {

    private static final Pattern CODE = Pattern.compile("OUT-\\d{3}");

    private final Map<String, Instant> away = new TreeMap<>();
    private String state = "starting";
    private String trouble = "";

    synchronized void on(RelayEvent event, Instant now) {
      if (event instanceof RelayEvent.LeaseTaken) {
        become("running", "");
        away.clear();
      } else if (event instanceof RelayEvent.StandsBy || event instanceof RelayEvent.LeaseLost) {
        become("standing by", "");
        away.clear();
      } else if (event instanceof RelayEvent.Refused refused) {
        become("refused", code(refused.reason()));
      } else if (event instanceof RelayEvent.StoreFailed failed) {
        become("without its database", code(failed.reason()));
      } else if (event instanceof RelayEvent.TooManyOpen) {
        become("blocked", "too many open positions");
      } else if (event instanceof RelayEvent.ReadsOn || event instanceof RelayEvent.Saved) {
        become("running", "");
      } else if (event instanceof RelayEvent.OutageMet met) {
        away.putIfAbsent(met.route(), now);
      } else if (event instanceof RelayEvent.OutageOver over) {
        away.remove(over.route());
      } else if (event instanceof RelayEvent.Closed) {
        become("stopped", "");
      }
    }

    private static String code(String reason) {
      Matcher code = CODE.matcher(reason);
      return code.lookingAt() ? code.group() : "an error without a code";
    }

    private void become(String newState, String why) {
      state = newState;
      trouble = why;
    }

    synchronized boolean isWell(Instant awayBefore) {
      Collection<Instant> since = away.values();
      return trouble.isEmpty() && since.stream().noneMatch(each -> each.isBefore(awayBefore));
    }

    @Override
    public synchronized String toString() {
      String why = trouble.isEmpty() ? "" : ": " + trouble + "; the log has the rest";
      return away.isEmpty() ? state + why : state + why + "; destinations away since " + away;
    }
  }
}
