// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.KafkaBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a broker with its default limits holds in some kilobytes, and a small member receives. */
final class HostileRecordsIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static final String TOPIC = "hostile";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int HEAP_MIB = 96;
  private static final int LARGE = 20 * 1024 * 1024;
  private static final int LARGER_THAN_THE_HEAP = 120 * 1024 * 1024;
  private static final int LARGE_COUNT = 60;
  private static final int HEADERS = 60_000;
  private static final int HEADERS_COUNT = 30;

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  private static KafkaProducer<byte[], byte[]> producer() {
    ByteArraySerializer bytes = new ByteArraySerializer();
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            KAFKA.bootstrapServers(),
            "compression.type",
            "zstd",
            "max.request.size",
            Integer.MAX_VALUE,
            "buffer.memory",
            2L * LARGER_THAN_THE_HEAP),
        bytes,
        bytes);
  }

  private static ProducerRecord<byte[], byte[]> event(
      int partition, String id, byte @Nullable [] payload) {
    ProducerRecord<byte[], byte[]> event = new ProducerRecord<>(TOPIC, partition, null, payload);
    Records.attributes(id).forEach((name, text) -> event.headers().add(name, text.getBytes(UTF_8)));
    return event;
  }

  private static Future<RecordMetadata> good(
      KafkaProducer<byte[], byte[]> producer, int partition, String text) {
    return producer.send(event(partition, text, text.getBytes(UTF_8)));
  }

  private static void produce() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      for (int partition = 0; partition < 3; partition++) {
        good(producer, partition, "before-" + partition).get();
      }
      byte[] large = new byte[LARGE];
      for (int i = 0; i < LARGE_COUNT; i++) {
        producer.send(event(0, "large-" + i, large)).get();
      }
      ProducerRecord<byte[], byte[]> headers = event(1, "headers", null);
      for (int i = 0; i < HEADERS; i++) {
        headers.headers().add("h", null);
      }
      for (int i = 0; i < HEADERS_COUNT; i++) {
        producer.send(headers).get();
      }
      producer.send(event(2, "larger", new byte[LARGER_THAN_THE_HEAP])).get();
      for (int partition = 0; partition < 3; partition++) {
        good(producer, partition, "after-" + partition).get();
      }
    }
  }

  private void await(String line) {
    Await.until(() -> line + " in " + lines, PATIENCE, () -> lines.contains(line));
  }

  private long asideOf(int partition) {
    return lines.stream().filter(line -> line.startsWith("ASIDE " + partition + "@")).count();
  }

  @Test
  void bombsAreSetAsideByTheirPlaceAndASmallMemberLives() throws Exception {
    KAFKA.createTopic(TOPIC, 3, Map.of());
    produce();
    try (ChildJvm member =
        ChildJvm.of(SmallMember.class)
            .args(KAFKA.bootstrapServers(), TOPIC)
            .heapMib(HEAP_MIB)
            .onLine(lines::add)
            .start()) {
      for (String text : List.of("before-0", "before-1", "before-2", "after-0", "after-1")) {
        await("GOT " + text);
      }
      assertThat(asideOf(0)).isEqualTo(LARGE_COUNT);
      assertThat(asideOf(1)).isEqualTo(HEADERS_COUNT);
      try (KafkaProducer<byte[], byte[]> producer = producer()) {
        good(producer, 0, "much later").get();
      }
      await("GOT much later");
      assertThat(lines).doesNotContain("GOT after-2");
      assertThat(asideOf(2)).isZero();
      assertThat(member.isAlive()).isTrue();
    }
  }
}
