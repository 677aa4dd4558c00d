// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.inbox.BatchHandler;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.KafkaProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Kafka, acks=all, with a topic of its own for each turn. */
final class MeasuredKafka implements MeasuredBroker {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final KafkaProcess broker = KafkaProcess.builder().longLived().startProcess();
  private int turn;

  @Override
  public String title() {
    return "Kafka";
  }

  @Override
  public Publisher publisher() {
    return KafkaPublisher.with(settings(Map.of())).topics(given -> topic());
  }

  @Override
  public RunningReceiver receive(BatchHandler handler) {
    return KafkaReceiver.with(reading("receiver")).topics(topic()).start(handler);
  }

  @Override
  public void sendBare(List<byte[]> payloads) {
    List<ProducerRecord<byte[], byte[]>> records =
        List.of(new ProducerRecord<>(topic(), payloads.get(0)));
    new BareProducer(settings(Map.of()), records).runOnNewTopic(payloads.size());
  }

  /** Commits offsets after each poll, as frameworks do unless they are told otherwise. */
  @Override
  public void takeBare(int count, Work work) throws Exception {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            reading("bare"), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(topic()));
      int taken = 0;
      while (taken < count) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(PATIENCE);
        for (ConsumerRecord<byte[], byte[]> each : polled) {
          work.on(each.value());
        }
        consumer.commitSync();
        taken += polled.count();
      }
    }
  }

  @Override
  public void clear() {
    if (turn > 0) {
      broker.deleteTopic(topic());
    }
    turn++;
    broker.createTopic(topic(), KafkaPlan.PARTITIONS, Map.of());
  }

  /** What was received is what came. */
  @Override
  public OptionalLong count() {
    return OptionalLong.empty();
  }

  @Override
  public void close() {
    broker.close();
  }

  private String topic() {
    return "orders-" + turn;
  }

  private Map<String, Object> reading(String group) {
    return settings(
        Map.of("group.id", group, "auto.offset.reset", "earliest", "enable.auto.commit", false));
  }

  private Map<String, Object> settings(Map<String, Object> others) {
    Map<String, Object> settings = new HashMap<>(others);
    settings.put("bootstrap.servers", broker.bootstrapServers());
    return settings;
  }
}
