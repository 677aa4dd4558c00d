// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Printable;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverListener;
import io.outledger.time.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows whether the receivers of this process run and reach their brokers, for the health indicator
 * and the endpoint. Thread-safe; no I/O.
 */
final class ReceiverProgress implements ReceiverListenerSource {

  private final TimeSource time;
  private final Map<String, State> states = new ConcurrentHashMap<>();

  ReceiverProgress(TimeSource time) {
    this.time = time;
  }

  @Override
  public ReceiverListener listener(String consumer) {
    State state = new State();
    states.put(consumer, state);
    return event -> state.on(event, time.now());
  }

  /**
   * Describes a consumer's receiver, which was started, in a few words; its reasons are in the log.
   */
  String words(String consumer) {
    State state = states.get(consumer);
    return state == null ? "running" : state.toString();
  }

  /** Returns whether a receiver has not reached its broker since a time. */
  boolean isAwaySince(Instant before) {
    return states.values().stream().anyMatch(each -> each.isAwaySince(before));
  }

  /** Returns whether a receiver does not reach its broker now, or has ended. */
  boolean isAway() {
    return hasEnded() || states.values().stream().anyMatch(State::isAway);
  }

  /** Returns whether a consumer's receiver has told that it has ended. */
  boolean hasEnded(String consumer) {
    State state = states.get(consumer);
    return state != null && state.hasEnded();
  }

  /** Returns whether a receiver has ended, and nothing but a start brings it back. */
  boolean hasEnded() {
    return states.values().stream().anyMatch(State::hasEnded);
  }

  /** What one receiver has told of itself. */
  private static final class State {

    private final Map<String, Instant> paused = new TreeMap<>(); // by open breakers
    private String words = "running";
    private Instant awaySince = Instant.MAX;
    private boolean hasEnded;

    synchronized void on(ReceiverEvent event, Instant now) {
      if (event instanceof ReceiverEvent.CannotReceive) {
        awaySince = awaySince.isAfter(now) ? now : awaySince;
        words =
            "cannot receive since "
                + awaySince.truncatedTo(ChronoUnit.SECONDS)
                + RelayProgress.REST;
      } else if (event instanceof ReceiverEvent.StandsBy) {
        awaySince = Instant.MAX;
        words = "standing by";
      } else if (event instanceof ReceiverEvent.ReceivesAgain
          || event instanceof ReceiverEvent.Closed) {
        awaySince = Instant.MAX;
        hasEnded = false;
        words = "running";
        if (event instanceof ReceiverEvent.Closed) {
          paused.clear();
        }
      } else if (event instanceof ReceiverEvent.BreakerOpened opened) {
        paused.putIfAbsent(kind(opened.type(), opened.topic()), now);
      } else if (event instanceof ReceiverEvent.BreakerClosed closed) {
        paused.remove(kind(closed.type(), closed.topic()));
      } else if (event instanceof ReceiverEvent.BreakerForgotten forgotten) {
        paused.remove(kind(forgotten.type(), forgotten.topic()));
      } else if (event instanceof ReceiverEvent.Ended ended) {
        hasEnded = true;
        words = "ended: " + RelayProgress.code(ended.reason()) + RelayProgress.REST;
      }
    }

    private static String kind(String type, String topic) {
      return Printable.value(type) + " from " + Printable.value(topic);
    }

    synchronized boolean isAwaySince(Instant before) {
      return awaySince.isBefore(before);
    }

    synchronized boolean isAway() {
      return awaySince.isBefore(Instant.MAX);
    }

    synchronized boolean hasEnded() {
      return hasEnded;
    }

    @Override
    public synchronized String toString() {
      if (paused.isEmpty()) {
        return words;
      }
      StringBuilder all = new StringBuilder(words);
      RelayProgress.list(all, "breaker open for ", paused);
      return words.endsWith(RelayProgress.REST)
          ? all.toString()
          : all.append(RelayProgress.REST).toString();
    }
  }
}
