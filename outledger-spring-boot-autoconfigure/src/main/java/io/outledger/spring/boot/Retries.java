// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.spring.boot.OutledgerProperties.RelayProperties;
import io.outledger.spring.boot.OutledgerProperties.SubscriptionProperties;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The retry policy of a subscription: its own properties over those of all relays. */
final class Retries {

  private Retries() {}

  static RetryPolicy of(
      String subscription, RelayProperties all, @Nullable SubscriptionProperties own) {
    if (own == null) {
      return policy(all);
    }
    try {
      return new RetryPolicy(
          Objects.requireNonNullElse(own.attemptsMax(), all.attemptsMax()),
          new Backoff(
              Objects.requireNonNullElse(own.backoffFirst(), all.backoffFirst()),
              Objects.requireNonNullElse(own.backoffMax(), all.backoffMax())),
          Objects.requireNonNullElse(own.deadLetter(), RetryPolicy.DEFAULT.deadLetter()));
    } catch (ConfigurationException e) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "outledger.subscriptions." + subscription + " cannot be used: " + e.getMessage());
    }
  }

  private static RetryPolicy policy(RelayProperties all) {
    return RetryPolicy.DEFAULT
        .withAttemptsMax(all.attemptsMax())
        .withBackoff(new Backoff(all.backoffFirst(), all.backoffMax()));
  }
}
