// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.inbox.Received;
import org.jspecify.annotations.Nullable;

/**
 * A consumer, and what the hashes of its records contain of its name. That is the name itself,
 * until it is renamed: the records stay, and go on meaning what they meant.
 *
 * @param consumer its name
 * @param subscription the subscription whose handlers they are; empty for messages that are not of
 *     this ledger
 * @param number stands for both
 * @param hashedConsumer the consumer's name in the hashes
 * @param hashedSource the source of the subscription's messages in the hashes; empty where there is
 *     no subscription
 */
public record InboxName(
    String consumer, String subscription, int number, String hashedConsumer, String hashedSource) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public InboxName {
    Require.nonNull("consumer", consumer);
    Require.nonNull("subscription", subscription);
    Require.nonNull("hashedConsumer", hashedConsumer);
    Require.nonNull("hashedSource", hashedSource);
  }

  /** Returns a consumer that has the name which it had first. */
  static InboxName first(String consumer, String subscription) {
    return new InboxName(
        consumer,
        subscription,
        InboxKey.numberOf(consumer, subscription),
        consumer,
        sourceOf(subscription));
  }

  /**
   * Returns the same as its row tells it.
   *
   * @param storedNumber the number
   * @param consumerThen what the hashes contain of the consumer's name; null where that is the name
   * @param sourceThen the source that they contain; null where it is the subscription's
   */
  InboxName hashedAs(int storedNumber, @Nullable String consumerThen, @Nullable String sourceThen) {
    return new InboxName(
        consumer,
        subscription,
        storedNumber,
        consumerThen == null ? hashedConsumer : consumerThen,
        sourceThen == null ? hashedSource : sourceThen);
  }

  /** Returns the source of a subscription's messages; empty where there is no subscription. */
  static String sourceOf(String subscription) {
    return subscription.isEmpty() ? "" : Received.inboxSourceOf(subscription);
  }
}
