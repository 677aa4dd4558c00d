// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class KafkaProcessIT {
  @Test
  void acknowledgedRecordsSurviveKillAndSuspension() throws Exception {
    try (KafkaProcess broker = KafkaProcess.start()) {
      broker.createTopic("kept", 1, Map.of());
      KafkaRecords records = new KafkaRecords(broker.bootstrapServers(), "kept");
      try (KafkaProducer<String, String> producer = records.producer()) {
        producer.send(new ProducerRecord<>("kept", "one")).get();
        broker.suspend();
        Future<RecordMetadata> waiting = producer.send(new ProducerRecord<>("kept", "two"));
        Assertions.assertThatThrownBy(() -> waiting.get(300, TimeUnit.MILLISECONDS))
            .isInstanceOf(TimeoutException.class);
        broker.resume();
        waiting.get(20, TimeUnit.SECONDS);
        long killed = broker.pid();
        broker.kill();
        assertThat(Signals.isAlive(killed)).isFalse();
        broker.restart();
        producer.send(new ProducerRecord<>("kept", "three")).get(20, TimeUnit.SECONDS);
      }
      assertThat(records.read(3)).containsExactly("one", "two", "three");
    }
  }
}
