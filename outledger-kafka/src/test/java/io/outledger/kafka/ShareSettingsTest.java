// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.inbox.BatchHandler;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShareSettingsTest {

  private static final Map<String, String> GOOD =
      Map.of("bootstrap.servers", "broker:9092", "group.id", "stock");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "auto.offset.reset=earliest",
        "enable.auto.commit=false",
        "group.instance.id=a",
        "group.protocol=consumer",
        "heartbeat.interval.ms=1000",
        "isolation.level=read_uncommitted",
        "partition.assignment.strategy=range",
        "session.timeout.ms=10000",
        "share.acknowledgement.mode=implicit",
        "share.acquire.mode=batch_optimized"
      })
  void whatAShareGroupDoesNotHaveOrWouldLoseRecordsIsRefused(String setting) {
    String[] parts = setting.split("=", 2);
    Map<String, String> settings =
        Map.of("bootstrap.servers", "broker:9092", "group.id", "stock", parts[0], parts[1]);
    assertThatThrownBy(() -> KafkaShareReceiver.with(settings))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(parts[0]);
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatThrownBy(() -> KafkaShareReceiver.with(Map.of()))
        .hasMessageContaining("bootstrap.servers is missing")
        .hasMessageContaining("group.id is missing");
    BatchHandler handler = batch -> {};
    assertThatThrownBy(() -> KafkaShareReceiver.with(GOOD).start(handler))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("name them with topics()");
  }

  @Test
  void recordsAreAcknowledgedOneByOneAndNotFetchedAhead() {
    assertThat(ShareSettings.of(GOOD).all())
        .containsEntry("share.acknowledgement.mode", "explicit")
        .containsEntry("share.acquire.mode", "record_limit")
        .containsEntry("max.poll.records", 100);
  }

  @Test
  void clientThatIsTooOldIsNamed() {
    assertThatThrownBy(() -> new ClientVersion("3.9.2").require(4, 2, "share groups"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("share groups need kafka-clients 4.2 or newer, but 3.9.2 is on");
    assertThatThrownBy(() -> new ClientVersion("4.1.1-custom").require(4, 2, "share groups"))
        .isInstanceOf(ConfigurationException.class);
    for (String good : new String[] {"4.2.0", "4.10.1", "5.0.0", "unknown"}) {
      assertThatCode(() -> new ClientVersion(good).require(4, 2, "share groups"))
          .doesNotThrowAnyException();
    }
  }
}
