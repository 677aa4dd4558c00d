// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.publish.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** How a recording publisher's destination behaves now. Guarded by its publisher. */
final class Behaviour {

  /** What the order of arrival makes of a message that is handed over. */
  enum Turn {
    /** It arrives now. */
    AT_ONCE,
    /** It waits for later ones to overtake it. */
    WAITS,
    /** It was the last to wait: all that wait arrive now, this one first. */
    ENDS_WAITING
  }

  private record Rejection(Predicate<Message> condition, Outcome outcome) {}

  private final List<Rejection> rejections = new ArrayList<>();
  private Outcome next = Outcome.PUBLISHED;
  private int nextMessages;
  private int messagesToFail;
  private int messagesToDuplicate;
  private int messagesToReverse;
  private boolean down;
  private boolean refusesOpening;

  void rejectNext(int messages, Outcome.Rejected outcome) {
    nextMessages = checked(messages);
    next = Require.nonNull("outcome", outcome);
  }

  void meetWhen(Predicate<Message> condition, Outcome outcome) {
    rejections.add(
        new Rejection(
            Require.nonNull("condition", condition), Require.nonNull("outcome", outcome)));
  }

  void acceptAll() {
    rejections.clear();
    nextMessages = 0;
  }

  void goDown(boolean refuseOpening) {
    down = true;
    refusesOpening = refuseOpening;
  }

  void failNext(int messages) {
    messagesToFail = checked(messages);
  }

  void duplicateNext(int messages) {
    messagesToDuplicate = checked(messages);
  }

  void reverseNext(int messages) {
    messagesToReverse = checked(messages);
  }

  /** Counts a message that is handed over, and returns when it arrives. */
  Turn takeTurn() {
    if (messagesToReverse == 0) {
      return Turn.AT_ONCE;
    }
    messagesToReverse--;
    return messagesToReverse == 0 ? Turn.ENDS_WAITING : Turn.WAITS;
  }

  /** Returns how often the message that arrives now does so. */
  int copies() {
    if (messagesToDuplicate == 0) {
      return 1;
    }
    messagesToDuplicate--;
    return 2;
  }

  void comeBack() {
    down = false;
    refusesOpening = false;
    messagesToFail = 0;
  }

  boolean refusesOpening() {
    return refusesOpening;
  }

  Outcome meet(Message message) {
    if (down || messagesToFail > 0) {
      messagesToFail = Math.max(0, messagesToFail - 1);
      return Outcome.unavailable("the destination is down, as the test requested");
    }
    if (nextMessages > 0) {
      nextMessages--;
      return next;
    }
    for (Rejection rejection : rejections) {
      if (rejection.condition().test(message)) {
        return rejection.outcome();
      }
    }
    return Outcome.PUBLISHED;
  }

  private static int checked(int messages) {
    if (messages < 0) {
      throw new IllegalArgumentException("messages is " + messages + " but must be 0 or more");
    }
    return messages;
  }
}
