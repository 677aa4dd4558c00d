// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import io.outledger.log.QuietLog;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.event.Level;

/** The offsets up to which records took effect, until they are committed. For one thread. */
final class ReceiverOffsets {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PATIENCE_AT_THE_END = Duration.ofSeconds(2);

  private final Consumer<byte[], byte[]> consumer;
  private final QuietLog log;
  private final Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
  private Duration patience = PATIENCE;

  ReceiverOffsets(Consumer<byte[], byte[]> consumer, QuietLog log) {
    this.consumer = consumer;
    this.log = log;
  }

  /** Notes that a record and all before it in its partition took effect. */
  void took(RecordPlace place) {
    done.put(place.partition(), place.next());
  }

  /** Uses a shorter commit time-out from now on, because close() is waiting. */
  void end() {
    patience = PATIENCE_AT_THE_END;
  }

  /**
   * Starts partitions at their oldest or behind their newest record, and notes that as their
   * offset: a group that started at the newest and received nothing yet must not start at what is
   * the newest then.
   */
  void startAt(Collection<TopicPartition> partitions, boolean end) {
    // Known before anything moves: where the broker does not tell, the next poll asks again.
    Map<TopicPartition, Long> starts =
        end
            ? consumer.endOffsets(partitions, PATIENCE)
            : consumer.beginningOffsets(partitions, PATIENCE);
    starts.forEach(
        (partition, offset) -> {
          consumer.seek(partition, offset);
          done.put(partition, new OffsetAndMetadata(offset));
        });
  }

  /** Drops what was noted of partitions that are no longer ours. */
  void forget(Collection<TopicPartition> partitions) {
    done.keySet().removeAll(partitions);
  }

  /**
   * Commits what was noted. Where that fails the records may come again, here or at another member;
   * what was noted is kept for the next commit, as long as the partitions are ours.
   *
   * @throws TopicAuthorizationException if topics may not be read any more, after what was noted of
   *     them has been dropped, since it would fail every commit, and the rest is committed
   */
  void commit() {
    if (done.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(Map.copyOf(done), patience);
      done.clear();
    } catch (TopicAuthorizationException e) {
      if (drop(e.unauthorizedTopics())) {
        commit();
      }
      throw e;
    } catch (CommitFailedException | RebalanceInProgressException | RetriableException e) {
      Map<TopicPartition, OffsetAndMetadata> late = Map.copyOf(done);
      log.fails(
          Level.WARN,
          "commit",
          text(e),
          () -> "could not commit offsets %s yet; trying again: %s".formatted(late, text(e)));
    }
  }

  private static String text(Throwable failure) {
    return Printable.text(failure);
  }

  private boolean drop(Set<String> topics) {
    Map<TopicPartition, OffsetAndMetadata> denied = new HashMap<>(done);
    denied.keySet().removeIf(partition -> !topics.contains(partition.topic()));
    if (denied.isEmpty()) {
      return false;
    }
    log.fails(
        Level.WARN,
        "denied",
        "",
        () ->
            "not authorized to commit offsets %s; earlier records may be received again"
                .formatted(denied));
    forget(denied.keySet());
    return true;
  }
}
