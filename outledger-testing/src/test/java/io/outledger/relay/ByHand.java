// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A destination that answers when the test says so, and notes what it is told. */
final class ByHand implements Publisher {

  final List<Long> sent = new ArrayList<>();
  boolean acceptsAll;
  int flushes;
  Runnable onClose = () -> {};
  Runnable onSend = () -> {};
  private final KeyOrder keyOrder;
  private Outcomes outcomes = (position, outcome) -> {};

  ByHand(KeyOrder keyOrder) {
    this.keyOrder = keyOrder;
  }

  void report(long position, Outcome outcome) {
    outcomes.report(position, outcome);
  }

  @Override
  public KeyOrder keyOrder() {
    return keyOrder;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes to) {
    outcomes = to;
    return new PublisherClient() {
      @Override
      public void publish(long position, int attempt, Message message) {
        onSend.run();
        sent.add(position);
        if (acceptsAll) {
          to.report(position, Outcome.PUBLISHED);
        }
      }

      @Override
      public void flush() {
        flushes++;
      }

      @Override
      public Set<Long> recall() {
        return Set.of();
      }

      @Override
      public void close() {
        onClose.run();
      }
    };
  }
}
