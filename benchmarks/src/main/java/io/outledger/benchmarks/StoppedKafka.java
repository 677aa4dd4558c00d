// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.kafka.KafkaPublisher;
import io.outledger.publish.Publisher;
import io.outledger.servers.KafkaProcess;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A real Kafka broker in a JVM of its own, which is stopped and started. */
final class StoppedKafka implements Broker {

  private final KafkaProcess kafka = KafkaProcess.builder().longLived().startProcess();
  private @Nullable TopicOfRecords topic;

  @Override
  public void switchTo(boolean on) {
    if (on) {
      kafka.restart();
    } else {
      kafka.stop();
    }
  }

  @Override
  public Publisher begin() throws InterruptedException {
    if (topic != null) {
      topic.close();
    }
    TopicOfRecords fresh = TopicOfRecords.create(kafka, "backlog");
    topic = fresh;
    return KafkaPublisher.with(fresh.settings(Map.of())).topics(given -> fresh.name());
  }

  /** Reads all of it. */
  @Override
  public Came came() throws InterruptedException {
    return topic == null ? new Came(0, 0) : topic.came();
  }

  @Override
  public void close() {
    kafka.close();
  }
}
