// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a consumer at read_committed has got of a topic, and what is wrong with it. */
final class Consumed implements AutoCloseable {

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Set<String> ids = new HashSet<>();
  private final Map<String, Integer> next = new HashMap<>();
  private final List<String> wrong = new ArrayList<>();
  private int records;

  Consumed(String servers, String topic) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(each -> new TopicPartition(topic, each.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Reads what there is, and returns how many records were read in all. */
  int read() {
    for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
      records++;
      check(each);
    }
    return records;
  }

  private void check(ConsumerRecord<byte[], byte[]> read) {
    String id = header(read, "ce_id");
    if (!ids.add(id)) {
      wrong.add("twice: " + id + " at " + read.partition() + "/" + read.offset());
    }
    if (read.headers().lastHeader("number") == null) {
      return;
    }
    String key = new String(read.key(), UTF_8);
    int number = Integer.parseInt(header(read, "number"));
    int expected = next.getOrDefault(key, 0);
    if (number != expected) {
      wrong.add(key + " " + number + " came where " + expected + " was due");
    }
    next.put(key, number + 1);
  }

  /** Returns how many different messages were read. */
  int distinct() {
    return ids.size();
  }

  private static String header(ConsumerRecord<byte[], byte[]> read, String name) {
    return new String(read.headers().lastHeader(name).value(), UTF_8);
  }

  /** Returns what came twice, out of order, or without what was due before it. */
  List<String> wrong() {
    return wrong;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
