// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators do to the queue of a receiver. */
final class RabbitReceiverIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final SharedRabbit rabbit = new SharedRabbit();
  private final List<Received> effects = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    rabbit.line.close();
  }

  private RunningReceiver start(String queue) {
    return RabbitReceiver.from(rabbit.broker(), queue).prefetch(7).start(effects::addAll);
  }

  private List<Message> publish(String queue, int count) {
    List<Message> messages =
        IntStream.range(0, count)
            .mapToObj(i -> Message.to(queue, "order.placed").key("k").build())
            .toList();
    try (RabbitSender sender = new RabbitSender(RabbitPublisher.to(rabbit.broker()))) {
      assertThat(sender.send(messages)).containsOnly(Outcome.PUBLISHED);
    }
    return messages;
  }

  private void await(List<Message> messages) {
    Await.until(
        () -> effects.size() + " of " + messages.size() + " effects",
        PATIENCE,
        () -> effects.size() >= messages.size());
    assertThat(effects.stream().map(Received::id))
        .containsExactlyElementsOf(messages.stream().map(each -> each.id().toString()).toList());
  }

  @Test
  void quorumQueueIsReceivedInOrderAndOnce() {
    String queue =
        SharedRabbit.queue(Map.of("x-queue-type", "quorum", "x-single-active-consumer", true));
    List<Message> messages = new ArrayList<>(publish(queue, 100));
    RunningReceiver first = start(queue);
    try (RunningReceiver standby = start(queue)) {
      await(messages);
      first.close();
      messages.addAll(publish(queue, 20));
      await(messages);
      assertThat(standby.isRunning()).isTrue();
    }
    SharedRabbit.on(channel -> channel.queueDelete(queue));
  }

  @Test
  void deliveryThatCannotBeReceivedIsNotedWithItsPayload() {
    String queue = SharedRabbit.classicQueue();
    SharedRabbit.on(
        channel -> {
          channel.basicPublish("", queue, null, "stranger".getBytes(UTF_8));
          return queue;
        });
    List<String> noted = new CopyOnWriteArrayList<>();
    RabbitReceiver receiver =
        RabbitReceiver.from(rabbit.broker(), queue)
            .origin("old")
            .unreadable((place, payload, reason) -> noted.add(place + new String(payload, UTF_8)));
    try (RunningReceiver running = receiver.start(effects::addAll)) {
      await(publish(queue, 1));
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(noted).containsExactly("delivery 1 of queue " + queue + "stranger");
    assertThat(effects.get(0).origin()).isEqualTo("old");
    SharedRabbit.on(channel -> channel.queueDelete(queue));
  }

  /** The broker would drop all of them: each connection that ends counts as a delivery of each. */
  @Test
  void quorumQueuesLimitOfDeliveriesTakesNoGoodMessageForAStrangers() {
    String queue = SharedRabbit.queue(Map.of("x-queue-type", "quorum", "x-delivery-limit", 20));
    requireNonNull(RabbitStrangers.to(queue).get("tables 2,000 deep")).run();
    List<Message> messages = publish(queue, 50);
    List<String> noted = new CopyOnWriteArrayList<>();
    try (RunningReceiver running =
        RabbitReceiver.from(rabbit.broker(), queue)
            .unreadable((place, payload, reason) -> noted.add(new String(payload, UTF_8)))
            .start(effects::addAll)) {
      await(messages);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(noted).containsOnly("stranger");
    assertThat(Queues.take(queue)).isEmpty();
    SharedRabbit.on(channel -> channel.queueDelete(queue));
  }

  /** The client ends its connection there, and not only at 64 MiB. */
  @Test
  void messageThatIsLargerThanTheClientTakesEndsNothing() {
    String queue = SharedRabbit.classicQueue();
    SharedRabbit.on(
        channel -> {
          channel.confirmSelect();
          channel.basicPublish("", queue, null, new byte[1_500_000]);
          return channel.waitForConfirms(30_000);
        });
    List<Message> messages = publish(queue, 5);
    List<Integer> noted = new CopyOnWriteArrayList<>();
    ConnectionFactory small = SharedRabbit.factory(SharedRabbit.SERVER.port());
    small.setMaxInboundMessageBodySize(1_000_000);
    try (RunningReceiver running =
        RabbitReceiver.from(RabbitBroker.of(small), queue)
            .unreadable((place, payload, reason) -> noted.add(payload.length))
            .start(effects::addAll)) {
      await(messages);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(noted).containsExactly(1_500_000);
    SharedRabbit.on(channel -> channel.queueDelete(queue));
  }

  /** The channel is as good as before, and the queue has nobody else to give them to. */
  @Test
  void whatWasDeliveredBeforeTheQueueWasDeletedTakesEffect() throws Exception {
    String queue = SharedRabbit.classicQueue();
    CountDownLatch handles = new CountDownLatch(1);
    CountDownLatch isDeleted = new CountDownLatch(1);
    try (RunningReceiver running =
        RabbitReceiver.from(rabbit.broker(), queue)
            .prefetch(7)
            .start(
                batch -> {
                  handles.countDown();
                  isDeleted.await();
                  effects.addAll(batch);
                })) {
      List<Message> messages = new ArrayList<>(publish(queue, 1));
      handles.await();
      messages.addAll(publish(queue, 9));
      Await.until(
          "the prefetch is on its way",
          PATIENCE,
          () ->
              SharedRabbit.on(channel -> channel.queueDeclarePassive(queue).getMessageCount())
                  == 3);
      SharedRabbit.on(channel -> channel.queueDelete(queue));
      isDeleted.countDown();
      await(messages.subList(0, 7));
      assertThat(running.isRunning()).isTrue();
    }
  }

  @Test
  void queueThatIsDeletedAndMadeAgainIsReceivedOnAgain() {
    String queue = SharedRabbit.classicQueue();
    try (RunningReceiver running = start(queue)) {
      List<Message> messages = new ArrayList<>(publish(queue, 10));
      await(messages);
      SharedRabbit.on(channel -> channel.queueDelete(queue));
      SharedRabbit.on(channel -> channel.queueDeclare(queue, true, false, false, Map.of()));
      messages.addAll(publish(queue, 10));
      await(messages);
      assertThat(running.isRunning()).isTrue();
      assertThat(running.failure()).isNull();
    }
    assertThat(Queues.take(queue)).isEmpty(); // what took effect was acknowledged
    SharedRabbit.on(channel -> channel.queueDelete(queue));
  }
}
