// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** How many records of its topics a consumer group has not committed yet. */
final class GroupLag implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 5;

  private final Admin admin;
  private final String group;

  GroupLag(String bootstrapServers, String group) {
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    this.group = group;
  }

  /** Returns the number, or 0 where Kafka does not say. */
  long count() {
    try {
      Map<TopicPartition, OffsetAndMetadata> committed =
          admin
              .listConsumerGroupOffsets(group)
              .partitionsToOffsetAndMetadata()
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      Map<TopicPartition, OffsetSpec> wanted =
          committed.keySet().stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest()));
      Map<TopicPartition, ListOffsetsResultInfo> ends =
          admin.listOffsets(wanted).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return ends.values().stream().mapToLong(ListOffsetsResultInfo::offset).sum()
          - committed.values().stream().mapToLong(OffsetAndMetadata::offset).sum();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    } catch (ExecutionException | TimeoutException e) {
      return 0;
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
