// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.Redelivery;
import io.outledger.receive.SingleStreamDeliveries;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An open consumer of a queue in memory. */
final class MemoryConsumer implements SingleStreamDeliveries<Integer> {

  private final MemoryBroker broker;
  private final @Nullable Consumer<String> unreadable;
  private int next = -1;

  MemoryConsumer(MemoryBroker broker, @Nullable Consumer<String> unreadable) {
    this.broker = broker;
    this.unreadable = unreadable;
    broker.connect(this);
  }

  @Override
  public List<Batch<Integer>> receive(Duration patience) throws InterruptedException {
    List<Arrival<Integer>> arrivals = broker.next(this, next, patience.toMillis());
    if (arrivals.isEmpty()) {
      return List.of();
    }
    next = arrivals.get(arrivals.size() - 1).place() + 1;
    return List.of(new Batch<>("queue", arrivals));
  }

  /** A queue in memory keeps a message for as long as the test runs. */
  @Override
  public Optional<Redelivery> redelivery() {
    return Optional.empty();
  }

  /** It gives up nothing. */
  @Override
  public Optional<DeliveryLimit> deliveryLimit() {
    return Optional.empty();
  }

  /** The broker waits. */
  @Override
  public void keep(List<Integer> held) {}

  @Override
  public void acknowledge(List<Integer> done) {
    done.forEach(place -> broker.acknowledge(this, place));
  }

  @Override
  public void setAside(Arrival<Integer> arrival) throws Exception {
    if (unreadable == null) {
      SingleStreamDeliveries.super.setAside(arrival);
      return;
    }
    unreadable.accept(String.valueOf(Objects.requireNonNull(arrival.problem()).getMessage()));
  }

  @Override
  public void close() {
    broker.disconnect(this);
  }
}
