// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.outledger.servers.Await;
import io.outledger.servers.RabbitMq;
import io.outledger.servers.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The one broker of this JVM, which takes ten seconds to start, behind a faulty line. */
final class SharedRabbit {

  static final RabbitMq SERVER = RabbitMq.start();
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  final TcpProxy line = TcpProxy.before(SERVER.port());

  /** Work on a channel. */
  interface Work<R> {
    R on(Channel channel) throws IOException, TimeoutException, InterruptedException;
  }

  static ConnectionFactory factory(int port) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(port);
    factory.setChannelRpcTimeout(5_000);
    return factory;
  }

  /** Returns the broker as clients reach it, through the line. */
  RabbitBroker broker() {
    return RabbitBroker.of(factory(line.port()));
  }

  static <R> R on(Work<R> work) {
    try (Connection connection = factory(SERVER.port()).newConnection("test");
        Channel channel = connection.createChannel()) {
      return work.on(channel);
    } catch (IOException | TimeoutException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Makes a queue of its own, replicated where there are nodes to do it. */
  static String queue() {
    return queue(Map.of("x-queue-type", "quorum"));
  }

  /** Makes a durable queue of its own. */
  static String queue(Map<String, Object> arguments) {
    String name = "orders-" + NAMES.incrementAndGet();
    on(channel -> channel.queueDeclare(name, true, false, false, arguments));
    return name;
  }

  /**
   * Makes a durable queue that survives a kill of this broker. A quorum queue does as well, but a
   * single node of version 3.10 that was killed does not make itself its leader again.
   */
  static String classicQueue() {
    return queue(Map.of("x-single-active-consumer", true));
  }

  /** Kills the broker and starts it again; returns when a queue is back. */
  static void crash(String queue) {
    SERVER.restart();
    Await.until("queue " + queue + " is back", PATIENCE, () -> isThere(queue));
  }

  private static boolean isThere(String queue) {
    try {
      on(channel -> channel.queueDeclarePassive(queue));
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }
}
