// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Given;
import io.outledger.Printable;
import io.outledger.time.TimeSource;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes what a receiver does into the log: at most one line a second for each kind of event, with
 * the number of those it stands for. A line about a message names its id, topic, type and key;
 * never its payload or headers. Thread-safe.
 */
public final class ReceiverLog implements ReceiverListener {

  private static final Logger LOG = LoggerFactory.getLogger(ReceiverLog.class);
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final String consumer;
  private final TimeSource time;
  private final Map<Class<?>, Long> saidAt = new HashMap<>();
  private final Map<Class<?>, Integer> unsaid = new HashMap<>();

  /** Makes the log of a consumer's receiver. */
  public ReceiverLog(String consumer, TimeSource time) {
    Given.check("consumer", consumer);
    Given.check("time", time);
    this.consumer = Printable.value(consumer);
    this.time = time;
  }

  @Override
  public synchronized void on(ReceiverEvent event) {
    Class<?> kind = event.getClass();
    long now = time.nanoTime();
    Long last = saidAt.get(kind);
    if (last != null && now - last < SECOND_NANOS) {
      unsaid.merge(kind, 1, Integer::sum);
      return;
    }
    saidAt.put(kind, now);
    Integer more = unsaid.remove(kind);
    LOG.atLevel(level(event))
        .log(
            "receiver {}: {}{}",
            consumer,
            words(event),
            more == null ? "" : " (and " + more + " more of this kind before)");
  }

  private static Level level(ReceiverEvent event) {
    if (event instanceof ReceiverEvent.Held) {
      return Level.DEBUG;
    }
    if (event instanceof ReceiverEvent.Died
        || event instanceof ReceiverEvent.BreakerOpened
        || event instanceof ReceiverEvent.Full) {
      return Level.ERROR;
    }
    boolean informs =
        event instanceof ReceiverEvent.Recovered
            || event instanceof ReceiverEvent.Discarded
            || event instanceof ReceiverEvent.BreakerClosed;
    return informs ? Level.INFO : Level.WARN;
  }

  private static String words(ReceiverEvent event) {
    if (event instanceof ReceiverEvent.Parked parked) {
      return "parked "
          + parked.message()
          + " after "
          + parked.attempts()
          + " failed attempts; trying again in "
          + parked.delay()
          + "; later messages of its key are held: "
          + parked.reason();
    }
    if (event instanceof ReceiverEvent.Died died) {
      return died.message()
          + " is a dead letter after "
          + died.attempts()
          + " failed attempts; retry or discard it: "
          + died.reason();
    }
    if (event instanceof ReceiverEvent.Full full) {
      return "as many messages are parked as may be ("
          + full.parkedMax()
          + "); pausing the stream of "
          + full.message()
          + " for "
          + full.delay()
          + "; fix the handler, or retry or discard dead letters";
    }
    if (event instanceof ReceiverEvent.BreakerOpened opened) {
      return "many keys failed in a row, so receiving of topic "
          + Printable.value(opened.topic())
          + ", type "
          + Printable.value(opened.type())
          + " pauses, but for probes; check the handler: "
          + opened.reason();
    }
    if (event instanceof ReceiverEvent.Unavailable down) {
      return "could not process "
          + down.message()
          + "; trying again in "
          + down.delay()
          + ", nothing is parked: "
          + down.reason();
    }
    return others(event);
  }

  private static String others(ReceiverEvent event) {
    if (event instanceof ReceiverEvent.Recovered recovered) {
      return "processed " + recovered.message() + ", which was parked";
    }
    if (event instanceof ReceiverEvent.Discarded discarded) {
      return "discarded " + discarded.message() + " on request";
    }
    if (event instanceof ReceiverEvent.Held held) {
      return "held " + held.message() + " behind a parked message of its key";
    }
    if (event instanceof ReceiverEvent.BreakerClosed closed) {
      return "receiving of topic "
          + Printable.value(closed.topic())
          + ", type "
          + Printable.value(closed.type())
          + " continues";
    }
    return "could not look after parked messages; trying again: " + event;
  }
}
