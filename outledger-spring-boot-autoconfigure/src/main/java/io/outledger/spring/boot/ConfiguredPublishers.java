// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.Problems;
import io.outledger.publish.Publisher;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The publishers of this process, by subscription: those that properties describe, and the
 * application's beans. They are made when they are wanted, once. Thread-safe.
 */
final class ConfiguredPublishers {

  private static final Logger LOG = LoggerFactory.getLogger(ConfiguredPublishers.class);
  private static final String KAFKA = "kafka";
  private static final String PROPERTIES = "outledger.publishers.";

  private final OutledgerProperties properties;
  private final BrokerSources sources;
  private final Brokers brokers;
  private @Nullable Map<String, Publisher> made;

  ConfiguredPublishers(OutledgerProperties properties, BrokerSources sources) {
    this.properties = properties;
    this.sources = sources;
    this.brokers = new Brokers(sources);
  }

  /**
   * Returns all publishers.
   *
   * @param beans where the application's own are
   * @throws ConfigurationException {@code OUT-021} listing every problem
   */
  Map<String, Publisher> with(ListableBeanFactory beans) {
    Map<String, Publisher> all = new LinkedHashMap<>(beans.getBeansOfType(Publisher.class));
    Map<String, Publisher> own = all();
    Problems problems = Problems.of("two publishers have the same name");
    Map<String, String> named = new HashMap<>();
    all.keySet().forEach(bean -> named.put(PropertyNames.uniform(bean), bean));
    for (String name : own.keySet()) {
      String bean = named.get(PropertyNames.uniform(name));
      if (bean != null) {
        problems.add(
            "the Publisher bean "
                + bean
                + " and the properties "
                + PROPERTIES
                + name
                + ".* are one subscription: rename one of them. What has a new name is a new"
                + " subscription");
      }
    }
    problems.refuse();
    all.putAll(own);
    if (KafkaServers.isKnown(sources) && !properties.publishers().containsKey(KAFKA)) {
      if (all.isEmpty() && properties.publishers().isEmpty()) {
        all.put(KAFKA, implicit());
      } else if (all.values().stream().noneMatch(KafkaSetup::isKafka)) {
        tellOfKafka(all.keySet());
      }
    }
    return all;
  }

  /**
   * Says whether the publisher that needs no property is missing among all that there are, only
   * because one of these publishes to Kafka, too. Where none does, it was told already.
   */
  boolean leavesKafka(Map<String, Publisher> all) {
    return !all.containsKey(KAFKA)
        && !properties.publishers().containsKey(KAFKA)
        && all.values().stream().anyMatch(KafkaSetup::isKafka)
        && KafkaServers.isKnown(sources);
  }

  private Publisher implicit() {
    String path = "spring.kafka";
    return Brokers.make(path, () -> brokers.get(KAFKA).publisher(KafkaSetup.IMPLICIT, path));
  }

  private static void tellOfKafka(Set<String> others) {
    LOG.warn(
        "nothing is published to Kafka, although spring.kafka.bootstrap-servers is set: there are"
            + " other publishers, {}. If it was before, its subscription {} has no relay now, and"
            + " messages are kept for it. To publish to Kafka as well, set {}=true; if you do not"
            + " want that, set it to false",
        others,
        KAFKA,
        PROPERTIES + "kafka.kafka.enabled");
  }

  /** Returns the publishers that properties describe. */
  synchronized Map<String, Publisher> all() {
    if (made == null) {
      made =
          Brokers.makeAll(
              PROPERTIES,
              properties.publishers(),
              PublisherProperties::brokers,
              (name, each, broker, path) -> brokers.get(broker).publisher(each, path));
    }
    return made;
  }
}
