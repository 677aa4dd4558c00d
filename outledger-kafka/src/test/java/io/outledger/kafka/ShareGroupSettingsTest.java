// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;

/** What is made of the cluster's word on a share group. */
final class ShareGroupSettingsTest {

  private final ShareGroupSettings settings = new ShareGroupSettings("stock", "broker:9092");
  private final Map<String, ConfigEntry> entries =
      new HashMap<>(
          Map.of(
              "share.auto.offset.reset",
              entry("share.auto.offset.reset", "earliest", ConfigSource.DYNAMIC_GROUP_CONFIG),
              "share.isolation.level",
              entry("share.isolation.level", "read_committed", ConfigSource.DYNAMIC_GROUP_CONFIG),
              "share.renew.acknowledge.enable",
              entry("share.renew.acknowledge.enable", "true", ConfigSource.DEFAULT_CONFIG),
              "share.delivery.count.limit",
              entry("share.delivery.count.limit", "7", ConfigSource.DEFAULT_CONFIG)));

  private static ConfigEntry entry(String name, String value, ConfigSource source) {
    return new ConfigEntry(
        name, value, source, false, false, List.of(), ConfigEntry.ConfigType.STRING, "");
  }

  private void set(String name, String value, ConfigSource source) {
    entries.put(name, entry(name, value, source));
  }

  private int deliveriesMax() {
    return settings.deliveriesMax(new Config(new ArrayList<>(entries.values())));
  }

  private void assertNeeds(String setting) {
    assertThatThrownBy(this::deliveriesMax)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("kafka-configs.sh --bootstrap-server broker:9092 --alter")
        .hasMessageContaining("--entity-type groups --entity-name stock --add-config " + setting);
  }

  @Test
  void safeSettingsTellHowOftenKafkaDelivers() {
    assertThat(deliveriesMax()).isEqualTo(7);
  }

  @Test
  void startThatNobodyHasChosenIsRefused() {
    set("share.auto.offset.reset", "latest", ConfigSource.DEFAULT_CONFIG);
    assertNeeds("share.auto.offset.reset=earliest");
  }

  @Test
  void startAtTheNewestIsAChoice() {
    set("share.auto.offset.reset", "latest", ConfigSource.DYNAMIC_GROUP_CONFIG);
    assertThat(deliveriesMax()).isEqualTo(7);
  }

  @Test
  void recordsThatWereRolledBackAreNotReceived() {
    set("share.isolation.level", "read_uncommitted", ConfigSource.DYNAMIC_GROUP_CONFIG);
    assertNeeds("share.isolation.level=read_committed");
  }

  @Test
  void locksThatCannotBeRenewedAreRefused() {
    set("share.renew.acknowledge.enable", "false", ConfigSource.DYNAMIC_GROUP_CONFIG);
    assertNeeds("share.renew.acknowledge.enable=true");
  }

  @Test
  void brokerThatDoesNotKnowTheSettingsIsTooOld() {
    entries.remove("share.renew.acknowledge.enable");
    assertThatThrownBy(this::deliveriesMax)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Kafka at broker:9092")
        .hasMessageContaining("needs brokers 4.3 or newer");
  }

  @Test
  void refusalSaysWhatToDo() {
    assertThat(settings.refused(new UnsupportedVersionException("no")))
        .hasMessageContaining("4.3 or newer");
    assertThat(settings.refused(new InvalidRequestException("unknown resource type")))
        .hasMessageContaining("4.3 or newer");
    assertThat(settings.refused(new GroupAuthorizationException("stock")))
        .hasMessageContaining("give this user the right DescribeConfigs");
    assertThat(settings.refused(new TimeoutException("nobody there"))).isNull();
    assertThat(settings.refused(new SaslAuthenticationException("wrong password"))).isNull();
  }
}
