// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * A producer that is made when there is something to send, and a broker that answers: one without
 * would try to connect, and say so in the log, for as long as an outage lasts. Thread-safe.
 */
final class ProducerOnDemand {

  private final Supplier<Producer<byte[], byte[]>> maker;
  private volatile @Nullable Producer<byte[], byte[]> producer;
  private boolean closed; // guarded by this

  ProducerOnDemand(Supplier<Producer<byte[], byte[]>> maker) {
    this.maker = maker;
  }

  /**
   * Returns the producer.
   *
   * @throws KafkaException if this was closed before there was one
   */
  Producer<byte[], byte[]> get() {
    Producer<byte[], byte[]> made = producer;
    return made == null ? make() : made;
  }

  /** Says whether there is a producer already. */
  boolean isMade() {
    return producer != null;
  }

  private synchronized Producer<byte[], byte[]> make() {
    Producer<byte[], byte[]> made = producer;
    if (made == null) {
      if (closed) {
        throw new KafkaException("the Kafka client is closed");
      }
      made = maker.get();
      producer = made;
    }
    return made;
  }

  /** Lets nothing more be sent. */
  void close() {
    Producer<byte[], byte[]> made;
    synchronized (this) {
      closed = true;
      made = producer;
    }
    if (made != null) {
      made.close(Duration.ZERO);
    }
  }
}
