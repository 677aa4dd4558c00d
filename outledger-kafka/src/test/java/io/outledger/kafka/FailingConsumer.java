// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/** Kafka's own stand-in for a group's member, which fails on demand. */
final class FailingConsumer extends MockConsumer<byte[], byte[]> {

  /** What commits fail with; null where they succeed. */
  @Nullable KafkaException commitFailure;

  /** Whether only the next commit fails with it. */
  boolean commitFailsOnce;

  /** What runs once, at the end of the next poll that returns nothing. */
  @Nullable Runnable onFollowingPoll;

  /**
   * Topics that may not be read: Kafka says so of each by itself, of commits, starts and positions.
   */
  final Set<String> denied = new HashSet<>();

  /** Topics that do not exist. */
  final Set<String> missing = new HashSet<>();

  /** Whether no broker answers when it is asked for topics. */
  boolean isAway;

  /** Whether nobody tells where partitions end. */
  boolean endsUnknown;

  /** What asking for a position fails with; null where it succeeds. */
  @Nullable KafkaException positionFailure;

  /** What was committed; the stand-in itself forgets it with each subscription. */
  final Map<TopicPartition, Long> committed = new HashMap<>();

  FailingConsumer() {
    super("none");
  }

  @Override
  public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
    Runnable following = records.isEmpty() ? onFollowingPoll : null;
    if (following != null) {
      onFollowingPoll = null;
      following.run();
    }
    return records;
  }

  @Override
  public synchronized List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
    if (denied.contains(topic)) {
      throw new TopicAuthorizationException(Set.of(topic));
    }
    if (isAway) {
      throw new TimeoutException("planted");
    }
    Node[] nodes = {new Node(1, "localhost", 1)};
    return missing.contains(topic)
        ? List.of()
        : List.of(new PartitionInfo(topic, 0, nodes[0], nodes, nodes));
  }

  @Override
  public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
    KafkaException failure = commitFailure;
    if (failure != null) {
      commitFailure = commitFailsOnce ? null : failure;
      throw failure;
    }
    refuse(offsets.keySet());
    super.commitSync(offsets, timeout);
    offsets.forEach((partition, next) -> committed.put(partition, next.offset()));
  }

  @Override
  public Map<TopicPartition, Long> beginningOffsets(
      Collection<TopicPartition> partitions, Duration timeout) {
    refuse(partitions);
    return super.beginningOffsets(partitions, timeout);
  }

  @Override
  public Map<TopicPartition, Long> endOffsets(
      Collection<TopicPartition> partitions, Duration timeout) {
    if (endsUnknown) {
      throw new TimeoutException("planted");
    }
    return super.endOffsets(partitions, timeout);
  }

  @Override
  public synchronized long position(TopicPartition partition, Duration timeout) {
    refuse(List.of(partition));
    KafkaException failure = positionFailure;
    if (failure != null) {
      throw failure;
    }
    if (endsUnknown) {
      throw new TimeoutException("planted");
    }
    return super.position(partition, timeout);
  }

  private void refuse(Collection<TopicPartition> partitions) {
    Set<String> refused =
        partitions.stream()
            .map(TopicPartition::topic)
            .filter(denied::contains)
            .collect(Collectors.toSet());
    if (!refused.isEmpty()) {
      throw new TopicAuthorizationException(refused);
    }
  }
}
