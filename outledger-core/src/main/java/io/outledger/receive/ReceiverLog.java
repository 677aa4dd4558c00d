// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Printable;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.log.QuietLog;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Writes what a receiver does into its log, and passes it on to the user's listener: at most one
 * line a second for each kind of event, with the number of those it stands for, and of an outage
 * that lasts ever fewer. A line about a message names its id, topic, type and key, and where the
 * broker has it; never its payload or headers. What the listener throws is logged. Thread-safe.
 */
final class ReceiverLog implements ReceiverListener {

  private final QuietLog log;
  private final ReceiverListener listener;
  private volatile List<? extends Arrival<?>> current = List.of();

  ReceiverLog(QuietLog log, ReceiverListener listener) {
    this.log = log;
    this.listener = listener;
  }

  /** Takes the deliveries that the next events are about, to tell where the broker has them. */
  void about(List<? extends Arrival<?>> arrivals) {
    current = arrivals;
  }

  @Override
  public void on(ReceiverEvent event) {
    if (event instanceof ReceiverEvent.ReceivesAgain) {
      log.over(kind(ReceiverEvent.CannotReceive.class));
    } else if (event instanceof ReceiverEvent.Closed) { // makes none of the attempts they announce
      log.drop(kind(ReceiverEvent.CannotReceive.class));
      log.drop(kind(ReceiverEvent.Unavailable.class));
      log.drop(kind(ReceiverEvent.RetriesFailed.class));
    }
    if (!(event instanceof ReceiverEvent.Acknowledged)) { // thousands a second, when all is well
      say(event);
    }
    try {
      listener.on(event);
    } catch (Throwable e) { // of user code
      log.fails(Level.ERROR, "listener", () -> "its listener threw an exception; it continues", e);
    }
  }

  /** Returns the kind of the lines about an event: whoever sees that a failure is over ends it. */
  static String kind(Class<? extends ReceiverEvent> event) {
    return event.getSimpleName();
  }

  private void say(ReceiverEvent event) {
    String kind = kind(event.getClass());
    ParkedReceived message = ReceiverWords.message(event);
    String subject = message == null ? "" : message + place(message.id());
    String lasting = lasting(event);
    if (lasting == null) {
      log.say(level(event), kind, () -> ReceiverWords.of(event, subject));
    } else {
      log.fails(level(event), kind, lasting, () -> ReceiverWords.of(event, subject));
    }
  }

  private String place(InboxId id) {
    for (Arrival<?> arrival : current) {
      Received message = arrival.message();
      if (message != null && message.id().equals(id.id()) && message.inboxId().equals(id)) {
        return " at " + Printable.value(arrival.place());
      }
    }
    return "";
  }

  /** Returns the cause of what may go on for hours; null for what is told each time. */
  private static @Nullable String lasting(ReceiverEvent event) {
    if (event instanceof ReceiverEvent.Unavailable down) {
      return down.reason();
    }
    if (event instanceof ReceiverEvent.RetriesFailed failed) {
      return failed.reason();
    }
    if (event instanceof ReceiverEvent.CannotReceive away) {
      return away.reason();
    }
    return event instanceof ReceiverEvent.Full ? "full" : null;
  }

  private static Level level(ReceiverEvent event) {
    if (event instanceof ReceiverEvent.Held || event instanceof ReceiverEvent.Closed) {
      return Level.DEBUG;
    }
    if (event instanceof ReceiverEvent.Died
        || event instanceof ReceiverEvent.Ended
        || event instanceof ReceiverEvent.BreakerOpened
        || event instanceof ReceiverEvent.Full) {
      return Level.ERROR;
    }
    boolean informs =
        event instanceof ReceiverEvent.Recovered
            || event instanceof ReceiverEvent.Discarded
            || event instanceof ReceiverEvent.StandsBy
            || event instanceof ReceiverEvent.ReceivesAgain
            || event instanceof ReceiverEvent.BreakerClosed
            || event instanceof ReceiverEvent.BreakerForgotten;
    return informs ? Level.INFO : Level.WARN;
  }
}
