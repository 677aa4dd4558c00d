// SPDX-License-Identifier: Apache-2.0
package io.outledger.parking;

import io.outledger.Printable;

/** The sentences of the log about parked messages and breakers, the same for relay and receiver. */
public final class ParkingWords {

  private ParkingWords() {}

  /** Says that a message became a dead letter. */
  public static String died(Object message, int attempts, String reason) {
    return "%s became a dead letter after %s; fix the cause, then retry or discard it: %s"
        .formatted(message, attempts(attempts), Printable.text(reason));
  }

  /** Says that a message is held. */
  public static String held(Object message) {
    return message + " is held behind a parked message with the same key";
  }

  /** Says that an operator has discarded a message. */
  public static String discarded(Object message) {
    return message + " was discarded on request";
  }

  /** Says that a breaker opened; the sentence goes on with what to do. */
  public static String opened(String messages) {
    return "breaker opened: " + messages + " are paused and tried one at a time";
  }

  /**
   * Names the messages of a breaker.
   *
   * @param way the word before the topic
   */
  public static String messages(String type, String way, String topic) {
    return "messages of type %s %s topic %s"
        .formatted(Printable.value(type), way, Printable.value(topic));
  }

  /** Counts failed attempts. */
  public static String attempts(int failed) {
    return Printable.count(failed, "failed attempt");
  }
}
