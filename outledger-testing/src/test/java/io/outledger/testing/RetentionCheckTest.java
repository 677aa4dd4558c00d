// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.Redelivery;
import io.outledger.receive.SingleStreamDeliveries;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether a consumer remembers for as long as its broker may deliver a message again. */
@Timeout(60)
class RetentionCheckTest {

  private static final Redelivery MONTH = new Redelivery("the queue", Duration.ofDays(30));
  private static final ReceiverOptions REQUIRED = ReceiverOptions.DEFAULT.withRetentionRequired();

  private final CountDownLatch handled = new CountDownLatch(1);
  private final InMemoryReceiverStore store =
      new InMemoryReceiverStore(
          "stock", TimeSource.system(), (message, attempt) -> handled.countDown());

  private final List<ReceiverEvent> events = new CopyOnWriteArrayList<>();

  @BeforeEach
  void rememberForTwoWeeks() {
    store.retention(InboxRetention.DEFAULT);
  }

  private ReceiverContext context(ReceiverOptions options) {
    return new ReceiverContext(
        "queue", options, events::add, TimeSource.system(), new SplittableRandom(1));
  }

  private OpenReceiver start(ReceiverOptions options, @Nullable Redelivery redelivery) {
    return QueueReceiver.start(context(options), store.handler(), window -> new Queue(redelivery));
  }

  private static void await(BooleanSupplier condition) {
    long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - until).isNegative();
      Thread.onSpinWait();
    }
  }

  @Test
  void consumerThatForgetsTooSoonIsWarnedAndGoesOn() throws Exception {
    try (OpenReceiver running = start(ReceiverOptions.DEFAULT, MONTH)) {
      assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(running.failure()).isNull();
    }
    Receiver<Integer> receiver = new Receiver<>(store.handler(), context(ReceiverOptions.DEFAULT));
    assertThat(receiver.check(MONTH)).isFalse();
    assertThat(receiver.check(new Redelivery("a week", Duration.ofDays(7)))).isTrue();
  }

  @Test
  void receiverThatMustNotForgetEndsBeforeItHandlesAnything() {
    try (OpenReceiver running = start(REQUIRED, MONTH)) {
      await(() -> !running.isRunning());
      assertThat(running.failure())
          .hasMessageStartingWith("OUT-018 the inbox forgets ids after 14 days, but the queue");
      assertThat(events)
          .singleElement()
          .isInstanceOfSatisfying(
              ReceiverEvent.Ended.class, ended -> assertThat(ended.reason()).startsWith("OUT-018"));
    }
    assertThat(events).last().isInstanceOf(ReceiverEvent.Closed.class);
    assertThat(store.handled()).isEmpty();
  }

  @Test
  void receiverThatMustNotForgetGoesOnWhereItRemembersOrNobodyKnows() throws Exception {
    store.retention(new InboxRetention(Duration.ofDays(30)));
    try (OpenReceiver running = start(REQUIRED, MONTH)) {
      assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(running.isRunning()).isTrue();
    }
    store.retention(InboxRetention.DEFAULT);
    try (OpenReceiver running = start(REQUIRED, null)) {
      await(() -> store.handled().size() >= 2);
      assertThat(running.isRunning()).isTrue();
    }
  }

  /** A queue with one message, each time that it is opened. */
  private static final class Queue implements SingleStreamDeliveries<Integer> {

    private static int last;

    private final @Nullable Redelivery redelivery;
    private boolean delivered;

    private Queue(@Nullable Redelivery redelivery) {
      this.redelivery = redelivery;
    }

    @Override
    public Optional<Redelivery> redelivery() throws IOException {
      if (redelivery == null) {
        throw new IOException("no right to ask");
      }
      return Optional.of(redelivery);
    }

    @Override
    public Optional<DeliveryLimit> deliveryLimit() {
      return Optional.empty();
    }

    @Override
    public void keep(List<Integer> held) {}

    @Override
    public List<Batch<Integer>> receive(Duration patience) {
      if (delivered) {
        return List.of();
      }
      delivered = true;
      String id = "m" + ++last;
      Received message =
          new Received("shop", id, "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
      return List.of(new Batch<>("queue", List.of(new Arrival<>(last, 1, message, null))));
    }

    @Override
    public void acknowledge(List<Integer> done) {}

    @Override
    public void close() {}
  }
}
