// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A prefetch of messages that are larger together than a receiver's memory. */
final class LargeMessagesIT {

  private static final Duration PATIENCE = Duration.ofMinutes(8);
  private static final int HEAP_MIB = 128;
  private static final int LARGE = 1_900_000;
  private static final int COUNT = 160;

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  private static void publish(String queue) {
    SharedRabbit.on(
        channel -> {
          channel.confirmSelect();
          for (int i = 0; i < COUNT; i++) {
            Map<String, Object> headers =
                Map.of(
                    "cloudEvents_specversion", "1.0",
                    "cloudEvents_id", "large-" + i,
                    "cloudEvents_source", "/orders",
                    "cloudEvents_type", "order.placed");
            BasicProperties properties =
                new BasicProperties.Builder().deliveryMode(2).headers(headers).build();
            channel.basicPublish("", queue, properties, new byte[LARGE]);
            channel.waitForConfirmsOrDie(PATIENCE.toMillis());
          }
          return queue;
        });
  }

  @Test
  void prefetchThatIsLargerThanTheMemoryIsReceivedInOrderAndOnce() {
    receiveAll(1);
    assertThat(got()).doesNotHaveDuplicates();
  }

  /** The broker ends a connection to which it can send nothing for 30 seconds. */
  @Test
  @Tag("long")
  void handlerThatIsAwayForLongHasTheBrokerEndOneConnectionAndNoMore() {
    receiveAll(60);
    assertThat(Collections.frequency(got(), "GOT large-0")).isLessThanOrEqualTo(2);
  }

  private void receiveAll(int pauseSeconds) {
    String queue = SharedRabbit.classicQueue();
    publish(queue);
    try (ChildJvm receiver =
        ChildJvm.of(SmallReceiver.class)
            .args(String.valueOf(SharedRabbit.SERVER.port()), queue, String.valueOf(pauseSeconds))
            .heapMib(HEAP_MIB)
            .onLine(lines::add)
            .start()) {
      Await.until(
          () -> "all are received; there are " + got() + " of " + COUNT,
          PATIENCE,
          () -> got().contains("GOT large-" + (COUNT - 1)));
      assertThat(new LinkedHashSet<>(got()))
          .containsExactlyElementsOf(
              IntStream.range(0, COUNT).mapToObj(i -> "GOT large-" + i).toList());
      assertThat(lines).noneMatch(line -> line.contains("OutOfMemoryError"));
      assertThat(receiver.isAlive()).isTrue();
    }
    SharedRabbit.on(channel -> channel.queueDelete(queue));
  }

  private List<String> got() {
    return lines.stream().filter(line -> line.startsWith("GOT ")).toList();
  }
}
