// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.spring.boot.OutledgerProperties.RelayProperties;
import io.outledger.spring.boot.OutledgerProperties.SubscriptionProperties;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The retry policy of a subscription: its own properties over those of all relays. They have been
 * checked with all others.
 */
final class Retries {

  private Retries() {}

  static RetryPolicy of(RelayProperties all, @Nullable SubscriptionProperties own) {
    if (own == null) {
      return policy(all);
    }
    return new RetryPolicy(
        Objects.requireNonNullElse(own.attemptsMax(), all.attemptsMax()),
        new Backoff(
            Objects.requireNonNullElse(own.backoffFirst(), all.backoffFirst()),
            Objects.requireNonNullElse(own.backoffMax(), all.backoffMax())),
        Objects.requireNonNullElse(own.deadLetter(), RetryPolicy.DEFAULT.deadLetter()));
  }

  private static RetryPolicy policy(RelayProperties all) {
    return RetryPolicy.DEFAULT
        .withAttemptsMax(all.attemptsMax())
        .withBackoff(new Backoff(all.backoffFirst(), all.backoffMax()));
  }
}
