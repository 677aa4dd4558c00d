// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverListener;
import io.outledger.time.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows whether the receivers of this process reach their brokers, for the health indicator and the
 * endpoint. Thread-safe; no I/O.
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

  /** Describes a consumer's receiver, which runs, in a few words; its reasons are in the log. */
  String words(String consumer) {
    State state = states.get(consumer);
    return state == null ? "running" : state.toString();
  }

  /** Returns whether a receiver has not reached its broker since a time. */
  boolean isAwaySince(Instant before) {
    return states.values().stream().anyMatch(each -> each.isAwaySince(before));
  }

  /** What one receiver has told of itself. */
  private static final class State {

    private String words = "running";
    private Instant awaySince = Instant.MAX;

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
      } else if (event instanceof ReceiverEvent.ReceivesAgain) {
        awaySince = Instant.MAX;
        words = "running";
      }
    }

    synchronized boolean isAwaySince(Instant before) {
      return awaySince.isBefore(before);
    }

    @Override
    public synchronized String toString() {
      return words;
    }
  }
}
