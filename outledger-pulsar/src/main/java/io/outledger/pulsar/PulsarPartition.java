// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.receive.Arrival;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.jspecify.annotations.Nullable;

/**
 * One partition's consumer, or that of a topic without partitions. Not asked for messages, it takes
 * no more from the broker than its queue has room for. For one thread.
 */
final class PulsarPartition {

  private final Consumer<byte[]> consumer;

  /** What was delivered and not acknowledged: a consumer that connects again receives it again. */
  private final Map<MessageId, Message<byte[]>> unfinished = new HashMap<>();

  /** Of these, what nobody has asked for yet. */
  private final Queue<Message<byte[]>> ahead = new ArrayDeque<>();

  private @Nullable CompletableFuture<Message<byte[]>> coming;
  private boolean isPaused;

  PulsarPartition(Consumer<byte[]> consumer) {
    this.consumer = consumer;
  }

  String name() {
    return consumer.getTopic();
  }

  boolean isPaused() {
    return isPaused;
  }

  void pause() {
    isPaused = true;
  }

  void resume() {
    isPaused = false;
  }

  boolean isConnected() {
    return consumer.isConnected();
  }

  /** Has something run when there may be something to {@link #poll}; on a thread of the client. */
  void whenSomethingComes(Runnable told) {
    if (coming == null && !isPaused) {
      coming = consumer.receiveAsync();
      var unused = coming.whenComplete((message, failure) -> told.run());
    }
  }

  /** Returns the next message; null where none has come, or the partition is paused. */
  @Nullable Message<byte[]> poll() throws Exception {
    if (isPaused) {
      return null;
    }
    return ahead.isEmpty() ? takeNew() : ahead.poll();
  }

  private @Nullable Message<byte[]> takeNew() throws Exception {
    for (Message<byte[]> next = take(); next != null; next = take()) {
      if (unfinished.put(next.getMessageId(), next) == null) {
        return next;
      }
    }
    return null;
  }

  private @Nullable Message<byte[]> take() throws Exception {
    CompletableFuture<Message<byte[]>> asked = coming;
    if (asked == null) {
      return consumer.receive(0, TimeUnit.MILLISECONDS);
    }
    if (!asked.isDone()) {
      return null;
    }
    coming = null;
    try {
      return asked.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  Message<byte[]> message(Arrival<PulsarReader.Place> arrival) {
    return Objects.requireNonNull(
        unfinished.get(arrival.place().id()), "delivered and not yet acknowledged");
  }

  /** Acknowledges messages; {@link #acknowledged} is to be told when the broker has answered. */
  CompletableFuture<Void> acknowledge(List<MessageId> done) throws Exception {
    if (isPaused) {
      takeAhead();
    }
    return consumer.acknowledgeAsync(done);
  }

  /**
   * Takes what waits at the client. If the line broke while this was paused, that is what is
   * acknowledged now, once more.
   */
  private void takeAhead() throws Exception {
    while (ahead.size() < PulsarSubscription.AHEAD_MAX) {
      Message<byte[]> next = takeNew();
      if (next == null) {
        return;
      }
      ahead.add(next);
    }
  }

  void acknowledged(List<MessageId> done) {
    done.forEach(unfinished::remove);
  }

  CompletableFuture<Void> close() {
    return consumer.closeAsync();
  }
}
