// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.MessageLimits;
import io.outledger.Printable;
import io.outledger.Problems;
import io.outledger.spring.boot.OutledgerProperties.RelayProperties;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/** Checks the values of all properties at once, under the names that the user knows. */
final class PropertyProblems {

  private static final Duration LEASE_MIN = Duration.ofMillis(500);

  private final Problems problems = Problems.of("these properties cannot be used");

  private PropertyProblems() {}

  /**
   * Checks all.
   *
   * @throws ConfigurationException {@code OUT-021} listing every problem
   */
  static void check(OutledgerProperties properties) {
    PropertyProblems found = new PropertyProblems();
    found.ofAll(properties);
    found.ofRelay(properties.relay());
    found.problems.refuse();
  }

  /**
   * Checks that each subscription with properties of its own is one of this process.
   *
   * @throws ConfigurationException {@code OUT-021} listing those that are not
   */
  static void checkSubscriptions(OutledgerProperties properties, Set<String> known) {
    PropertyProblems found = new PropertyProblems();
    for (String name : new TreeSet<>(properties.subscriptions().keySet())) {
      if (!known.contains(name)) {
        found.problems.add(
            "outledger.subscriptions."
                + name
                + " names no subscription of this process; did you mean "
                + PropertyNames.nearest(name, known)
                + "? There are "
                + new TreeSet<>(known));
      }
    }
    found.problems.refuse();
  }

  private void ofAll(OutledgerProperties properties) {
    long payload = properties.payloadMax().toBytes();
    if (payload < 0 || payload > MessageLimits.PAYLOAD_BYTES_MAX) {
      problems.add(
          "outledger.payload-max is "
              + payload
              + " bytes, and must be 0 to "
              + MessageLimits.PAYLOAD_BYTES_MAX);
    }
    if (properties.retention().messages().isNegative()) {
      problems.add(
          "outledger.retention.messages is "
              + properties.retention().messages()
              + ", and must not be negative");
    }
    positive("outledger.retention.inbox", properties.retention().inbox());
    if (properties.handlers().concurrency() < 1) {
      problems.add(
          "outledger.handlers.concurrency is "
              + properties.handlers().concurrency()
              + ", and must be 1 or more");
    }
  }

  private void ofRelay(RelayProperties relay) {
    if (relay.lease().compareTo(LEASE_MIN) < 0) {
      problems.add(
          "outledger.relay.lease is "
              + Printable.span(relay.lease())
              + ", and must be at least "
              + Printable.span(LEASE_MIN));
    }
    positive("outledger.relay.poll-interval", relay.pollInterval());
    positive("outledger.relay.backoff-first", relay.backoffFirst());
    if (relay.backoffMax().compareTo(relay.backoffFirst()) < 0) {
      problems.add(
          "outledger.relay.backoff-max is "
              + Printable.span(relay.backoffMax())
              + ", and must be at least outledger.relay.backoff-first, "
              + Printable.span(relay.backoffFirst()));
    }
    if (relay.attemptsMax() < 1) {
      problems.add(
          "outledger.relay.attempts-max is " + relay.attemptsMax() + ", and must be 1 or more");
    }
    if (relay.handOverMax().isNegative()) {
      problems.add(
          "outledger.relay.hand-over-max is "
              + Printable.span(relay.handOverMax())
              + ", and must not be negative");
    }
  }

  private void positive(String name, Duration value) {
    if (value.isZero() || value.isNegative()) {
      problems.add(name + " is " + Printable.span(value) + ", and must be more than zero");
    }
  }
}
