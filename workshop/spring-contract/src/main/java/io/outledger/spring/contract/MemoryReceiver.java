// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.Message;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.Redelivery;
import io.outledger.receive.SingleStreamDeliveries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A receiver of a queue in memory, which the test fills. */
public final class MemoryReceiver extends BrokerReceiver<MemoryReceiver> {

  private final Queue queue;

  /** Creates one with an empty queue. */
  public MemoryReceiver() {
    this(new Queue(), ReceiverSettings.DEFAULT);
  }

  private MemoryReceiver(Queue queue, ReceiverSettings settings) {
    super(settings);
    this.queue = queue;
  }

  /** Sends a message, as its publisher would. */
  void send(Message message) {
    queue.add(
        new Received(
            "/test",
            message.id().toString(),
            message.topic(),
            message.key(),
            message.type(),
            message.version(),
            message.payload(),
            message.headers(),
            message.time(),
            "memory",
            ""));
  }

  /** Returns how many messages nobody has acknowledged. */
  int pending() {
    return queue.size();
  }

  @Override
  protected MemoryReceiver with(ReceiverSettings other) {
    return new MemoryReceiver(queue, other);
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    return QueueReceiver.start(
        settings.context("queue in memory"), handler, window -> new Consumer(queue));
  }

  /** Messages that wait, and how many nobody has acknowledged. */
  private static final class Queue {

    private final BlockingDeque<Received> waiting = new LinkedBlockingDeque<>();
    private final AtomicInteger pending = new AtomicInteger();

    void add(Received message) {
      pending.incrementAndGet();
      waiting.add(message);
    }

    int size() {
      return pending.get();
    }

    List<Received> take(Duration patience) throws InterruptedException {
      List<Received> taken = new ArrayList<>();
      Received first = waiting.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (first != null) {
        taken.add(first);
        waiting.drainTo(taken);
      }
      return taken;
    }

    void acknowledged(int count) {
      pending.addAndGet(-count);
    }

    void giveBack(List<Received> messages) {
      for (int i = messages.size() - 1; i >= 0; i--) {
        waiting.addFirst(messages.get(i));
      }
    }
  }

  private static final class Consumer implements SingleStreamDeliveries<Received> {

    private final Queue queue;
    private final List<Received> held = new ArrayList<>();

    Consumer(Queue queue) {
      this.queue = queue;
    }

    @Override
    public List<Batch<Received>> receive(Duration patience) throws InterruptedException {
      List<Received> taken = queue.take(patience);
      held.addAll(taken);
      List<Arrival<Received>> arrivals =
          taken.stream().map(each -> new Arrival<>(each, 1, each, null)).toList();
      return arrivals.isEmpty() ? List.of() : List.of(new Batch<>("queue", arrivals));
    }

    @Override
    public Optional<Redelivery> redelivery() {
      return Optional.empty();
    }

    @Override
    public Optional<DeliveryLimit> deliveryLimit() {
      return Optional.empty();
    }

    @Override
    public void acknowledge(List<Received> done) {
      held.removeAll(done);
      queue.acknowledged(done.size());
    }

    @Override
    public void keep(List<Received> held) {}

    @Override
    public void close() {
      queue.giveBack(held);
    }
  }
}
