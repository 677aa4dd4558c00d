// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.rabbitmq.RabbitBroker;
import io.outledger.rabbitmq.RabbitPublisher;
import io.outledger.rabbitmq.RabbitReceiver;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.RabbitMq;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A quorum queue of RabbitMQ, with confirms. */
final class MeasuredRabbit implements MeasuredBroker {

  private static final String QUEUE = "orders";
  private static final int WINDOW = 500;
  private static final int PREFETCH = 250;

  private final RabbitMq server = RabbitMq.start();

  /** What is done in a channel. */
  private interface Act<T> {
    T in(Channel channel) throws Exception;
  }

  @Override
  public String title() {
    return "RabbitMQ, quorum queue";
  }

  /** Its messages go to the queue that has the name of their topic. */
  @Override
  public Publisher publisher() {
    return RabbitPublisher.to(RabbitBroker.of(factory()));
  }

  @Override
  public void sendBare(List<byte[]> payloads) throws Exception {
    act(
        channel -> {
          channel.confirmSelect();
          int sent = 0;
          for (byte[] payload : payloads) {
            channel.basicPublish("", QUEUE, true, MessageProperties.PERSISTENT_BASIC, payload);
            if (++sent % WINDOW == 0) {
              channel.waitForConfirmsOrDie();
            }
          }
          channel.waitForConfirmsOrDie();
          return sent;
        });
  }

  @Override
  public RunningReceiver receive(BatchHandler handler) {
    return RabbitReceiver.from(RabbitBroker.of(factory()), QUEUE).start(handler);
  }

  @Override
  public void takeBare(int count, Work work) throws Exception {
    act(
        channel -> {
          CompletableFuture<Integer> all = new CompletableFuture<>();
          AtomicInteger taken = new AtomicInteger();
          channel.basicQos(PREFETCH);
          channel.basicConsume(
              QUEUE,
              false,
              (tag, message) -> {
                try {
                  work.on(message.getBody());
                  channel.basicAck(message.getEnvelope().getDeliveryTag(), false);
                  if (taken.incrementAndGet() == count) {
                    all.complete(count);
                  }
                } catch (Exception e) {
                  all.completeExceptionally(e);
                }
              },
              tag -> {});
          return all.get();
        });
  }

  @Override
  public void clear() throws Exception {
    act(
        channel -> {
          channel.queueDelete(QUEUE);
          return channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum"));
        });
  }

  @Override
  public OptionalLong count() throws Exception {
    return OptionalLong.of(act(channel -> channel.messageCount(QUEUE)));
  }

  @Override
  public void close() {
    server.close();
  }

  private ConnectionFactory factory() {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(server.port());
    return factory;
  }

  private <T> T act(Act<T> act) throws Exception {
    try (Connection connection = factory().newConnection();
        Channel channel = connection.createChannel()) {
      return act.in(channel);
    }
  }
}
