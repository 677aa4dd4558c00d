// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.Set;

/**
 * A publisher that answers every message within the call that hands it over, so that it adds next
 * to nothing to what is measured.
 *
 * @param answer what it answers
 */
public record AnswersAtOnce(Answer answer) implements Publisher {

  /** Acknowledges everything, so that what is measured is the relay alone. */
  static final AnswersAtOnce PUBLISHED =
      new AnswersAtOnce((position, message) -> Outcome.PUBLISHED);

  /** Says what becomes of a message. */
  @FunctionalInterface
  public interface Answer {

    /** Returns the outcome of the message at a position. */
    Outcome to(long position, Message message);
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new PublisherClient() {
      @Override
      public void publish(long position, int attempt, Message message) {
        outcomes.report(position, answer.to(position, message));
      }

      @Override
      public void flush() {}

      @Override
      public Set<Long> recall() {
        return Set.of();
      }

      @Override
      public void close() {}
    };
  }
}
