// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.way;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.inbox.Received;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.receive.RunningReceiver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What has arrived at one topic of a broker, key by key. Thread-safe. */
final class ReceivedTexts implements AutoCloseable {

  private final Map<String, List<Integer>> byKey = new TreeMap<>();
  private final RunningReceiver receiver;
  private int count;

  ReceivedTexts(String bootstrapServers, String topic) {
    receiver =
        KafkaReceiver.with(Map.of("bootstrap.servers", bootstrapServers, "group.id", "of-" + topic))
            .topics(topic)
            .start(batch -> batch.forEach(this::take));
  }

  private synchronized void take(Received received) {
    count++;
    byKey
        .computeIfAbsent(String.valueOf(received.key()), key -> new ArrayList<>())
        .add(Integer.valueOf(new String(received.payload(), UTF_8)));
  }

  synchronized int count() {
    return count;
  }

  /** Returns the numbers that arrived for each key, in order of arrival, duplicates among them. */
  synchronized Map<String, List<Integer>> byKey() {
    Map<String, List<Integer>> copy = new TreeMap<>();
    byKey.forEach((key, numbers) -> copy.put(key, List.copyOf(numbers)));
    return copy;
  }

  @Override
  public void close() {
    receiver.close();
  }
}
