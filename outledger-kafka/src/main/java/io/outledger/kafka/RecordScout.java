// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a partition's next record can be decoded here, with a consumer of its own that
 * belongs to no group. What a broker holds in a few kilobytes may want more memory than there is,
 * or a codec that is missing; a consumer that has met such a record is of no use any more.
 */
final class RecordScout {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final int POLLS_MAX = 25;
  private static final Duration CLOSE = Duration.ofSeconds(1);

  private final Supplier<Consumer<byte[], byte[]>> consumers;

  RecordScout(Supplier<Consumer<byte[], byte[]>> consumers) {
    this.consumers = consumers;
  }

  /**
   * Looks at the record at an offset.
   *
   * @return why it cannot be decoded; null where it can, or nobody knows
   */
  @Nullable Throwable look(TopicPartition partition, long offset) {
    Consumer<byte[], byte[]> consumer = consumers.get();
    try {
      consumer.assign(List.of(partition));
      consumer.seek(partition, offset);
      for (int polls = 0; polls < POLLS_MAX; polls++) {
        if (!consumer.poll(POLL).isEmpty() || consumer.position(partition, POLL) > offset) {
          return null;
        }
      }
      return null;
    } catch (RetriableException | AuthorizationException | InvalidOffsetException e) {
      return null; // that is not the record's fault
    } catch (Throwable e) {
      return e;
    } finally {
      consumer.close(CloseOptions.timeout(CLOSE));
    }
  }
}
