// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import java.util.Objects;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** One message on its way, whose outcome is reported exactly once. Thread-safe. */
final class Delivery implements Callback {

  private final long position;
  private final long started;
  private final KafkaPublisherClient client;
  private volatile @Nullable Partition partition;
  private @Nullable Thread sending;
  private @Nullable Exception notTaken;
  private boolean taken; // guarded by this
  private volatile boolean reported;

  Delivery(long position, long started, KafkaPublisherClient client) {
    this.position = position;
    this.started = started;
    this.client = client;
  }

  /**
   * Hands the message to the producer.
   *
   * @return why the producer did not take it; null where it did
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback tells the same
  @Nullable Exception hand(
      Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message, Partition to) {
    partition = to;
    notTaken = null;
    sending = Thread.currentThread();
    try {
      producer.send(message, this);
      return notTaken;
    } catch (RuntimeException e) {
      return e;
    } finally {
      sending = null;
    }
  }

  @Override
  public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
    Partition to = Objects.requireNonNull(partition, "noted before the producer has the message");
    if (exception == null) {
      client.acknowledged(this, to);
    } else if (sending == Thread.currentThread()) {
      notTaken = exception; // told to the thread that handed it over
    } else {
      client.failed(this, to, exception);
    }
  }

  long position() {
    return position;
  }

  /** Returns when it was handed over, in nanoseconds of the monotonic clock. */
  long started() {
    return started;
  }

  /**
   * Reports the outcome, unless one was reported before. Where another thread is just reporting
   * one, this waits until it has: a client that is closed must have told all of them.
   */
  synchronized void report(Outcomes outcomes, Outcome outcome) {
    if (taken) {
      return;
    }
    taken = true;
    try {
      outcomes.report(position, outcome);
    } finally {
      reported = true;
    }
  }

  /** Says whether an outcome was reported, and its report has returned. */
  boolean isReported() {
    return reported;
  }
}
