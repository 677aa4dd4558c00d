// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.Outledger;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.ReceiverOptions;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The receivers that properties describe, by consumer. They are made when they are wanted, once,
 * and are not started. Thread-safe.
 */
final class ConfiguredReceivers {

  private static final String PROPERTIES = "outledger.receivers.";

  private final Map<String, ReceiverProperties> properties;
  private final BrokerSources sources;
  private final Brokers brokers;
  private @Nullable Map<String, BrokerReceiver<?>> made;

  ConfiguredReceivers(OutledgerProperties properties, BrokerSources sources) {
    this.properties = properties.receivers();
    this.sources = sources;
    this.brokers = new Brokers(sources);
  }

  /**
   * Returns them.
   *
   * @throws ConfigurationException {@code OUT-021} listing every problem
   */
  synchronized Map<String, BrokerReceiver<?>> all() {
    if (made == null) {
      made = Brokers.makeAll(PROPERTIES, properties, ReceiverProperties::brokers, this::receiver);
    }
    return made;
  }

  /** Returns whether properties describe a receiver of a consumer. */
  boolean has(String consumer) {
    return properties.containsKey(consumer);
  }

  private BrokerReceiver<?> receiver(
      String consumer, ReceiverProperties each, String broker, String path) {
    BrokerReceiver<?> plain =
        ((ReceivingBroker) brokers.get(broker)).receiver(() -> brokerName(consumer), each, path);
    return (BrokerReceiver<?>) plain.options(options(each));
  }

  /**
   * Returns a consumer's first name: it may have been renamed, and must not be new to its broker.
   */
  private String brokerName(String consumer) {
    Optional<Outledger> outledger = sources.bean(Outledger.class);
    try {
      return outledger.map(each -> each.inbox(consumer).brokerName()).orElse(consumer);
    } catch (ConfigurationException e) {
      if (e.code() == ErrorCode.SCHEMA_MISSING) {
        return consumer; // nobody was renamed yet
      }
      throw e;
    }
  }

  /** See {@link RelaySources#replaces}. */
  boolean replaces(String consumer) {
    ReceiverProperties own = properties.get(consumer);
    return own != null && own.replaces();
  }

  /** See {@link RelaySources#holdsForeign}. A bean was told what it is to do, if it is told. */
  boolean holdsForeign(String consumer) {
    ReceiverProperties own = properties.get(consumer);
    return own != null && own.foreign() == ReceiverProperties.Foreign.HOLD;
  }

  /** Returns how failures are treated. */
  static ReceiverOptions options(ReceiverProperties properties) {
    return ReceiverOptions.DEFAULT
        .withRetry(
            new RetryPolicy(
                properties.attemptsMax(),
                new Backoff(properties.backoffFirst(), properties.backoffMax()),
                properties.deadLetter()))
        .withParkedMax(properties.parkedMax());
  }
}
