// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Printable;
import org.jspecify.annotations.Nullable;

/** Says in a sentence what an event tells: what happened, to what, and what follows. */
final class ReceiverWords {

  private ReceiverWords() {}

  /** Returns the message that an event is about; null where it is about none. */
  static @Nullable ParkedReceived message(ReceiverEvent event) {
    return event instanceof ReceiverEvent.OfMessage of ? of.message() : null;
  }

  /**
   * Puts an event into words.
   *
   * @param message names the event's message, printably
   */
  static String of(ReceiverEvent event, String message) {
    if (event instanceof ReceiverEvent.Parked parked) {
      return "%s was parked after %s; next attempt in %s; later messages with its key wait: %s"
          .formatted(
              message,
              attempts(parked.attempts()),
              Printable.about(parked.delay()),
              Printable.text(parked.reason()));
    }
    if (event instanceof ReceiverEvent.Died died) {
      return "%s became a dead letter after %s; fix the cause, then retry or discard it: %s"
          .formatted(message, attempts(died.attempts()), Printable.text(died.reason()));
    }
    if (event instanceof ReceiverEvent.Held) {
      return message + " is held behind a parked message with the same key";
    }
    if (event instanceof ReceiverEvent.Recovered) {
      return message + " was processed and is no longer parked";
    }
    if (event instanceof ReceiverEvent.Discarded) {
      return message + " was discarded on request";
    }
    if (event instanceof ReceiverEvent.Full full) {
      return ("the limit of %s is reached; the stream of %s pauses for %s; fix the handler, then"
              + " retry or discard dead letters")
          .formatted(
              Printable.count(full.parkedMax(), "parked message"),
              message,
              Printable.about(full.delay()));
    }
    if (event instanceof ReceiverEvent.Unavailable down) {
      return ("%s was not processed and not parked, because something it needs is unavailable; next"
              + " attempt in %s: %s")
          .formatted(message, Printable.about(down.delay()), Printable.text(down.reason()));
    }
    return ofReceiver(event);
  }

  private static String ofReceiver(ReceiverEvent event) {
    if (event instanceof ReceiverEvent.BreakerOpened opened) {
      return ("breaker opened: messages of type %s from topic %s are paused and tried one at a"
              + " time; check the handler: %s")
          .formatted(
              Printable.value(opened.type()),
              Printable.value(opened.topic()),
              Printable.text(opened.reason()));
    }
    if (event instanceof ReceiverEvent.SetAside unreadable) {
      return "set aside the unreadable delivery at "
          + unreadable.place()
          + ": "
          + Printable.text(unreadable.reason());
    }
    if (event instanceof ReceiverEvent.BreakerClosed closed) {
      return "breaker closed: messages of type %s from topic %s are processed again"
          .formatted(Printable.value(closed.type()), Printable.value(closed.topic()));
    }
    return event instanceof ReceiverEvent.RetriesFailed failed
        ? "could not read or change parked messages; next attempt within a second: "
            + Printable.text(failed.reason())
        : Printable.text(event);
  }

  private static String attempts(int failed) {
    return Printable.count(failed, "failed attempt");
  }
}
