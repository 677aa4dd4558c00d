// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class KafkaBrokerIT {
  @Test
  void recordsSurviveRestartOnTheSamePort() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start()) {
      broker.createTopic("kept", 2, Map.of());
      KafkaRecords records = new KafkaRecords(broker.bootstrapServers(), "kept");
      try (var producer = records.producer()) {
        producer.send(new ProducerRecord<>("kept", 0, "k", "one")).get();
      }
      String before = broker.bootstrapServers();
      broker.restart();
      assertThat(broker.bootstrapServers()).isEqualTo(before);
      assertThat(records.read(1)).containsExactly("one");
    }
  }

  @Test
  void topicsAreCreatedOnlyWhenAskedForAndCanBeDeleted() {
    KafkaBroker broker = KafkaBroker.shared();
    broker.createTopic("passing", 3, Map.of("retention.ms", "60000"));
    assertThatThrownBy(() -> broker.createTopic("passing", 3, Map.of()))
        .hasCauseInstanceOf(TopicExistsException.class);
    broker.deleteTopic("passing");
    broker.createTopic("passing", 1, Map.of());
    assertThatThrownBy(() -> broker.deleteTopic("unknown"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void takenPortIsRefused() {
    int taken = port(KafkaBroker.shared());
    assertThatThrownBy(() -> KafkaBroker.builder().port(taken).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Address already in use");
  }

  @Test
  void settingsAndFolderAreTheCallersChoice(@TempDir Path folder) throws Exception {
    int port;
    try (KafkaBroker broker =
        KafkaBroker.builder().folder(folder).setting("message.max.bytes", "1000").start()) {
      broker.createTopic("kept", 1, Map.of());
      KafkaRecords records = new KafkaRecords(broker.bootstrapServers(), "kept");
      records.send("small");
      assertThatThrownBy(() -> records.send("x".repeat(2000)))
          .hasCauseInstanceOf(RecordTooLargeException.class);
      port = port(broker);
    }
    try (KafkaBroker broker = KafkaBroker.builder().folder(folder).port(port).start()) {
      assertThat(new KafkaRecords(broker.bootstrapServers(), "kept").read(1))
          .containsExactly("small");
    }
  }

  private static int port(KafkaBroker broker) {
    return Integer.parseInt(broker.bootstrapServers().split(":", -1)[1]);
  }
}
