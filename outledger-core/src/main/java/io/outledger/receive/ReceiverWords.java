// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Printable;
import io.outledger.parking.ParkingWords;
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
              ParkingWords.attempts(parked.attempts()),
              Printable.about(parked.delay()),
              Printable.text(parked.reason()));
    }
    if (event instanceof ReceiverEvent.Died died) {
      return ParkingWords.died(message, died.attempts(), died.reason());
    }
    if (event instanceof ReceiverEvent.Held) {
      return ParkingWords.held(message);
    }
    if (event instanceof ReceiverEvent.Recovered recovered) {
      return message + " succeeded at attempt " + (recovered.message().attempts() + 1);
    }
    if (event instanceof ReceiverEvent.Discarded) {
      return ParkingWords.discarded(message);
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
      return ParkingWords.opened(messages(opened.type(), opened.topic()))
          + "; check the handler: "
          + Printable.text(opened.reason());
    }
    if (event instanceof ReceiverEvent.SetAside unreadable) {
      return "set aside the unreadable delivery at "
          + unreadable.place()
          + ": "
          + Printable.text(unreadable.reason());
    }
    if (event instanceof ReceiverEvent.CannotReceive away) {
      return "cannot receive; next attempt in %s: %s"
          .formatted(Printable.span(away.delay()), Printable.text(away.reason()));
    }
    if (event instanceof ReceiverEvent.Ended ended) {
      return "ended: " + Printable.text(ended.reason());
    }
    if (event instanceof ReceiverEvent.Closed) {
      return "closed";
    }
    if (event instanceof ReceiverEvent.StandsBy waits) {
      return Printable.text(waits.reason());
    }
    if (event instanceof ReceiverEvent.ReceivesAgain) {
      return "receiving again";
    }
    if (event instanceof ReceiverEvent.BreakerClosed closed) {
      return "breaker closed: %s are processed again"
          .formatted(messages(closed.type(), closed.topic()));
    }
    if (event instanceof ReceiverEvent.BreakerForgotten forgotten) {
      return "breaker forgotten: %s are tried again, because those of too many others fail"
          .formatted(messages(forgotten.type(), forgotten.topic()));
    }
    return event instanceof ReceiverEvent.RetriesFailed failed
        ? "could not read or change parked messages; next attempt within a second: "
            + Printable.text(failed.reason())
        : Printable.text(event);
  }

  private static String messages(String type, String topic) {
    return ParkingWords.messages(type, "from", topic);
  }
}
