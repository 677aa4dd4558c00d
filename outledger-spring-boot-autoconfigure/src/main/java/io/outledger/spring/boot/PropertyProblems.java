// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.MessageLimits;
import io.outledger.Printable;
import io.outledger.Problems;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Retention;
import io.outledger.relay.Slots;
import io.outledger.relay.options.RelayOptions;
import io.outledger.spring.boot.OutledgerProperties.JsonMapper;
import io.outledger.spring.boot.OutledgerProperties.JsonProperties;
import io.outledger.spring.boot.OutledgerProperties.RelayProperties;
import io.outledger.spring.boot.OutledgerProperties.SubscriptionProperties;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks the values of all properties at once, under the names that the user knows. */
final class PropertyProblems {

  private static final Duration LEASE_MIN = Duration.ofMillis(500);
  private static final Duration AUDIT_MIN = Duration.ofDays(1);
  private static final Duration BACKOFF_MAX_MAX = Duration.ofDays(365);
  private static final String RELAY = "outledger.relay";
  private static final String FIRST = ".backoff-first";
  private static final String BACKOFF_MAX = ".backoff-max";

  /** What an error's text begins with: the error of all problems says it once. */
  private static final String CODE = ErrorCode.INVALID_CONFIGURATION.code() + " ";

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
    found.ofNames("outledger.publishers", properties.publishers().keySet());
    found.ofNames("outledger.receivers", properties.receivers().keySet());
    found.ofNames("outledger.subscriptions", properties.subscriptions().keySet());
    found.ofRelay(properties.relay());
    new TreeMap<>(properties.subscriptions())
        .forEach(
            (name, own) ->
                found.ofSubscription("outledger.subscriptions." + name, own, properties.relay()));
    found.ofBrokers(properties);
    properties.schemaRegistry().check(found.problems);
    found.ofSources(properties.receivers());
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

  /**
   * Checks that what is said of JSON is said to the starter's own serializer: beside another one it
   * would silently do nothing.
   *
   * @throws ConfigurationException {@code OUT-021} listing the properties that have no effect
   */
  static void checkJson(JsonProperties json, PayloadSerializer serializer) {
    if (serializer instanceof BackgroundSerializer) {
      return;
    }
    PropertyProblems found = new PropertyProblems();
    found.ofOthers(json.strict(), "strict", serializer);
    found.ofOthers(json.checkAtStart(), "check-at-start", serializer);
    found.ofOthers(json.mapper() == JsonMapper.APPLICATION, "mapper", serializer);
    found.problems.refuse();
  }

  private void ofOthers(boolean isSet, String property, PayloadSerializer serializer) {
    problems.require(
        !isSet,
        "outledger.json."
            + property
            + " has no effect on a serializer of your own, "
            + serializer.getClass().getName()
            + ": leave it out, or configure that one");
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
              + Printable.span(properties.retention().messages())
              + ", and must not be negative");
    }
    positive("outledger.retention.inbox", properties.retention().inbox());
    positive("outledger.retention.interval", properties.retention().interval());
    if (properties.json().strict() && properties.json().mapper() == JsonMapper.APPLICATION) {
      problems.add(
          "outledger.json.strict has no effect on the application's mapper, and"
              + " outledger.json.mapper is application: configure that mapper, or leave one out");
    }
    int batch = properties.retention().batch();
    if (batch < 1 || batch > Retention.BATCH_MAX) {
      problems.add(
          "outledger.retention.batch is " + batch + ", and must be 1 to " + Retention.BATCH_MAX);
    }
    if (properties.retention().audit().compareTo(AUDIT_MIN) < 0) {
      problems.add(
          "outledger.retention.audit is "
              + Printable.span(properties.retention().audit())
              + ", and must be at least "
              + Printable.span(AUDIT_MIN));
    }
    atLeastOne("outledger.handlers.concurrency", properties.handlers().concurrency());
  }

  /**
   * Boot takes what differs in dashes and capitals for one property, but for two names in a map:
   * each of the two then has all properties, and an environment variable has neither dashes nor
   * capitals. So it would make a second publisher beside the one that it was meant for.
   */
  private void ofNames(String map, Set<String> names) {
    Map<String, String> known = new HashMap<>();
    for (String name : new TreeSet<>(names)) {
      String uniform = PropertyNames.uniform(name);
      String other = known.putIfAbsent(uniform, name);
      if (other != null) {
        problems.add(
            map
                + " has both "
                + other
                + " and "
                + name
                + ", which Boot takes for one name, so that each would have the properties of both."
                + " An environment variable ("
                + PropertyNames.variable(map + "." + uniform)
                + "_...) sets properties of "
                + uniform
                + " alone: write that name everywhere, or let the property of the other one take"
                + " its value from a variable of another name, as in ${ORDERS_SECRET}");
      }
    }
  }

  private void ofBrokers(OutledgerProperties properties) {
    properties
        .publishers()
        .forEach(
            (name, each) ->
                Brokers.check(
                    "outledger.publishers." + name, each.brokers(), each.isEmpty(), problems));
    properties
        .receivers()
        .forEach(
            (name, each) -> {
              String path = "outledger.receivers." + name;
              Brokers.check(path, each.brokers(), each.isEmpty(), problems);
              attempts(path, each.attemptsMax());
              backoff(path + FIRST, each.backoffFirst(), path + BACKOFF_MAX, each.backoffMax());
              atLeastOne(path + ".parked-max", each.parkedMax());
            });
  }

  /** Two consumers on one queue would share its messages, and neither would know. */
  private void ofSources(Map<String, ReceiverProperties> receivers) {
    Map<Map.Entry<String, ReceivingChoice.Source>, String> taken = new HashMap<>();
    for (String name : new TreeSet<>(receivers.keySet())) {
      Objects.requireNonNull(receivers.get(name))
          .brokers()
          .forEach(
              (broker, choice) -> {
                for (ReceivingChoice.Source source : choice.sources(name)) {
                  String other = taken.putIfAbsent(Map.entry(broker, source), name);
                  if (other != null) {
                    problems.add(shared(broker, source, other, name));
                  }
                }
              });
    }
  }

  private static String shared(
      String broker, ReceivingChoice.Source source, String one, String other) {
    return "outledger.receivers."
        + one
        + "."
        + broker
        + " and outledger.receivers."
        + other
        + "."
        + broker
        + " receive from the same "
        + source
        + ", so each message would go to one of the two consumers alone. Give each its own, or give"
        + " both methods with @InboxListener the name of one consumer";
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
    backoff(RELAY + FIRST, relay.backoffFirst(), RELAY + BACKOFF_MAX, relay.backoffMax());
    attempts(RELAY, relay.attemptsMax());
    ofTuning(relay);
    if (relay.handOverMax().isNegative()) {
      problems.add(
          "outledger.relay.hand-over-max is "
              + Printable.span(relay.handOverMax())
              + ", and must not be negative");
    }
  }

  /** What a subscription does not say itself is the relay's, and is checked there. */
  private void ofSubscription(String path, SubscriptionProperties own, RelayProperties relay) {
    if (own.attemptsMax() != null) {
      attempts(path, own.attemptsMax());
    }
    if (own.partitions() < 1 || own.partitions() > Slots.MAX) {
      problems.add(path + ".partitions is " + own.partitions() + ", and must be 1 to " + Slots.MAX);
    }
    problems.require(
        own.partitions() <= 1 || relay.dataSource() != null,
        path
            + ".partitions is "
            + own.partitions()
            + ", and each partition keeps a connection of its own: name a data source for relays in"
            + " outledger.relay.data-source, with room for them all");
    if (own.backoffFirst() != null || own.backoffMax() != null) {
      backoff(
          (own.backoffFirst() == null ? RELAY : path) + FIRST,
          Objects.requireNonNullElse(own.backoffFirst(), relay.backoffFirst()),
          (own.backoffMax() == null ? RELAY : path) + BACKOFF_MAX,
          Objects.requireNonNullElse(own.backoffMax(), relay.backoffMax()));
    }
  }

  private void attempts(String path, int value) {
    atLeastOne(path + ".attempts-max", value);
  }

  private void backoff(String firstName, Duration first, String maxName, Duration max) {
    positive(firstName, first);
    if (max.compareTo(first) < 0) {
      problems.add(
          maxName
              + " is "
              + Printable.span(max)
              + ", and must be at least "
              + firstName
              + ", "
              + Printable.span(first));
    }
    if (max.compareTo(BACKOFF_MAX_MAX) > 0) {
      problems.add(
          maxName
              + " is "
              + Printable.span(max)
              + ", and must be at most "
              + Printable.span(BACKOFF_MAX_MAX));
    }
  }

  private void atLeastOne(String name, int value) {
    if (value < 1) {
      problems.add(name + " is " + value + ", and must be 1 or more");
    }
  }

  private void ofTuning(RelayProperties relay) {
    RelayOptions.Builder options = RelayOptions.builder();
    if (relay.lease().compareTo(LEASE_MIN) >= 0) {
      options.lease(relay.lease());
    }
    try {
      relay.tuning().applyTo(options).build();
    } catch (ConfigurationException e) {
      String text = String.valueOf(e.getMessage());
      problems.add(
          "outledger.relay.tuning cannot be used: "
              + text.substring(text.startsWith(CODE) ? CODE.length() : 0));
    }
  }

  private void positive(String name, Duration value) {
    if (value.isZero() || value.isNegative()) {
      problems.add(name + " is " + Printable.span(value) + ", and must be more than zero");
    }
  }
}
