// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.publish.Outcome;
import java.util.Arrays;
import org.apache.kafka.common.utils.Utils;

/**
 * The partitions of a topic that exists. Which one a message goes to is decided here, as Kafka's
 * default partitioner does it for a key, because what may be sent depends on the partition.
 */
final class Partitions {

  private static final int SPREAD_BYTES = ProducerSettings.BATCH_BYTES;

  private final Topic topic;
  private final KafkaPublisherClient client;
  private final Lookups lookups;
  private volatile Partition[] all;

  // One thread at a time sends: the relay's, or before that the one that looked the topic up.
  private int page;
  private int spread;
  private long spreadBytes;

  Partitions(Topic topic, KafkaPublisherClient client, Lookups lookups, int count) {
    this.topic = topic;
    this.client = client;
    this.lookups = lookups;
    this.page = client.page();
    this.all = resized(new Partition[0], count);
  }

  void send(Unsent next) {
    if (page != client.page()) {
      page = client.page();
      lookAgain();
    }
    Partition[] known = all;
    byte[] key = next.key();
    int number = key == null ? spread(next) : Utils.toPositive(Utils.murmur2(key));
    known[number % known.length].send(next);
  }

  /** Stays with a partition for as much as makes a batch. */
  private int spread(Unsent next) {
    spreadBytes += next.payloadBytes();
    if (spreadBytes > SPREAD_BYTES) {
      spreadBytes = 0;
      spread = Utils.toPositive(spread + 1);
    }
    return spread;
  }

  /** Once a page, since a topic may get more partitions; the producer hears of them by itself. */
  private void lookAgain() {
    int count = client.partitions(topic.name(), all.length);
    if (count != all.length) {
      all = resized(all, count);
    }
  }

  private Partition[] resized(Partition[] known, int count) {
    Partition[] resized = Arrays.copyOf(known, count);
    for (int number = known.length; number < count; number++) {
      resized[number] = new Partition(topic, number, client, lookups);
    }
    return resized;
  }

  /** Ends all: what waits is told why. */
  void refused(Outcome outcome) {
    for (Partition partition : all) {
      partition.refused(outcome);
    }
  }

  /** Says whether no message waits in any of them. */
  boolean isIdle() {
    return Arrays.stream(all).allMatch(Partition::isIdle);
  }
}
