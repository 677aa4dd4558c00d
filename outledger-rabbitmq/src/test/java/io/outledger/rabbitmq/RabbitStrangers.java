// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** What strangers may publish to a queue that RabbitMQ takes. */
final class RabbitStrangers {

  private static final long STACK_BYTES = 1L << 30;

  /** The writer of the client takes long for more, although a frame holds three times as many. */
  private static final int DEEP = 5_000;

  private RabbitStrangers() {}

  static Map<String, Runnable> to(String queue) {
    Map<String, Runnable> strangers = new LinkedHashMap<>();
    strangers.put("no CloudEvent", () -> send(queue, Map.of()));
    strangers.put("tables 2,000 deep", () -> send(queue, nested(2_000, in -> Map.of("", in))));
    strangers.put("lists 2,000 deep", () -> send(queue, nested(2_000, List::of)));
    strangers.put("tables 5,000 deep", () -> send(queue, nested(DEEP, in -> Map.of("", in))));
    return strangers;
  }

  private static Map<String, Object> nested(int depth, UnaryOperator<Object> around) {
    Object inside = "x";
    for (int i = 0; i < depth; i++) {
      inside = around.apply(inside);
    }
    return Map.of("x", inside);
  }

  /** On a thread whose stack the client's writer does not exhaust. */
  private static void send(String queue, Map<String, Object> headers) {
    CompletableFuture<Boolean> sent = new CompletableFuture<>();
    new Thread(null, () -> sent.complete(isSent(queue, headers)), "stranger", STACK_BYTES).start();
    assertThat(sent.join()).isTrue();
  }

  private static boolean isSent(String queue, Map<String, Object> headers) {
    BasicProperties properties =
        new BasicProperties.Builder().deliveryMode(2).headers(headers).build();
    return SharedRabbit.on(
        channel -> {
          channel.confirmSelect();
          channel.basicPublish("", queue, properties, "stranger".getBytes(UTF_8));
          return channel.waitForConfirms(10_000);
        });
  }
}
