// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/**
 * Judges a share group's settings, which are the cluster's and not a consumer's. By Kafka's
 * defaults a group passes over what was there before it, and receives what was rolled back.
 *
 * @param group its name
 * @param servers where Kafka is, for people
 */
record ShareGroupSettings(String group, String servers) {

  /** The group's setting that says where it starts. */
  static final String START = "share.auto.offset.reset";

  private static final String ISOLATION = "share.isolation.level";
  private static final String RENEW = "share.renew.acknowledge.enable";
  private static final String LIMIT = "share.delivery.count.limit";

  /**
   * Returns how often Kafka delivers a record before it gives it up.
   *
   * @param config what the cluster says of the group
   * @throws ConfigurationException {@code OUT-021} if the settings are not safe, with what to do
   */
  int deliveriesMax(Config config) {
    ConfigEntry limit = config.get(LIMIT);
    if (limit == null || config.get(RENEW) == null) {
      throw tooOld();
    }
    Map<String, String> needed = new TreeMap<>();
    ConfigEntry start = config.get(START);
    if (start == null || start.source() != ConfigEntry.ConfigSource.DYNAMIC_GROUP_CONFIG) {
      need(config, needed, START, "earliest"); // another one has to be chosen
    }
    need(config, needed, ISOLATION, "read_committed");
    need(config, needed, RENEW, "true");
    if (!needed.isEmpty()) {
      throw invalid(
          ("share group %s must not receive yet, or records would be lost; set it up once:"
                  + " kafka-configs.sh --bootstrap-server %s --alter --entity-type groups"
                  + " --entity-name %s --add-config %s")
              .formatted(name(), servers, name(), list(needed)));
    }
    return Integer.parseInt(limit.value());
  }

  private static void need(Config config, Map<String, String> needed, String name, String value) {
    ConfigEntry entry = config.get(name);
    if (entry == null || !value.equals(entry.value())) {
      needed.put(name, value);
    }
  }

  private static String list(Map<String, String> needed) {
    List<String> settings = new ArrayList<>();
    needed.forEach((name, value) -> settings.add(name + "=" + value));
    return String.join(",", settings);
  }

  /** Returns what a refusal to tell the settings means; null where it may pass. */
  @Nullable ConfigurationException refused(Throwable failure) {
    if (failure instanceof UnsupportedVersionException
        || failure instanceof InvalidRequestException) {
      return tooOld();
    }
    if (failure instanceof AuthorizationException) {
      return invalid(
          ("cannot tell whether share group %s is safe to receive with: give this user the right"
                  + " DescribeConfigs for it (%s)")
              .formatted(name(), Printable.text(failure)));
    }
    return null;
  }

  private ConfigurationException tooOld() {
    return invalid(
        ("Kafka at %s has no share groups that can be received from safely: that needs brokers"
                + " 4.3 or newer; use KafkaReceiver, or update them")
            .formatted(servers));
  }

  private String name() {
    return Printable.value(group);
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
