// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Publisher;

/**
 * What stands for a broker, in this JVM: switched off, it says of every message that it cannot be
 * reached; while it is on it acknowledges at once. Switched by any thread, published to by one.
 */
final class SwitchedBroker implements Broker {

  private volatile boolean isOn = true;
  private volatile KeyOrderCheck check = new KeyOrderCheck();

  @Override
  public void switchTo(boolean on) {
    isOn = on;
  }

  @Override
  public Publisher begin() {
    check = new KeyOrderCheck();
    return new AnswersAtOnce(this::answer);
  }

  @Override
  public Came came() {
    return check.came();
  }

  @Override
  public void close() {}

  private Outcome answer(long position, Message message) {
    if (!isOn) {
      return Outcome.unavailable("it is switched off");
    }
    check.take(WaitingLedger.keyNumber(message), position);
    return Outcome.PUBLISHED;
  }
}
