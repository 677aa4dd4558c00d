// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** How a recording publisher's destination behaves now. Guarded by its publisher. */
final class Behaviour {

  private record Rejection(Predicate<Message> condition, Outcome.Rejected outcome) {}

  private final List<Rejection> rejections = new ArrayList<>();
  private Outcome next = Outcome.PUBLISHED;
  private int nextMessages;
  private int messagesToFail;
  private int messagesToDuplicate;
  private int messagesToReverse;
  private boolean down;
  private boolean refusesOpening;

  void rejectNext(int messages, Outcome.Rejected outcome) {
    nextMessages = messages;
    next = outcome;
  }

  void rejectWhen(Predicate<Message> condition, Outcome.Rejected outcome) {
    rejections.add(new Rejection(condition, outcome));
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
    messagesToFail = messages;
  }

  void duplicateNext(int messages) {
    messagesToDuplicate = messages;
  }

  void reverseNext(int messages) {
    messagesToReverse = messages;
  }

  boolean isReversing() {
    return messagesToReverse > 0;
  }

  boolean waitsLast() {
    messagesToReverse--;
    return messagesToReverse == 0;
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
}
