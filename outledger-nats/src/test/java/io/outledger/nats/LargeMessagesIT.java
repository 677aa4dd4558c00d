// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.impl.Headers;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A page of messages that are larger together than a receiver's memory. */
final class LargeMessagesIT {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int HEAP_MIB = 128;
  private static final int LARGE = 4 * 1024 * 1024;
  private static final int COUNT = 80;

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  private static int publish(ProxiedNats nats) throws Exception {
    nats.createStream("large", "large.>");
    return nats.ask(
        connection -> {
          for (int i = 0; i < COUNT; i++) {
            Headers headers =
                new Headers()
                    .add("ce-specversion", "1.0")
                    .add("ce-id", "large-" + i)
                    .add("ce-source", "/orders")
                    .add("ce-type", "order.placed");
            var unused = connection.jetStream().publish("large.a", headers, new byte[LARGE]);
          }
          return COUNT;
        });
  }

  @Test
  void pageThatIsLargerThanTheMemoryIsReceivedInOrderAndOnce() throws Exception {
    try (ProxiedNats nats = ProxiedNats.start("max_payload: " + 2 * LARGE)) {
      int published = publish(nats);
      try (ChildJvm receiver =
          ChildJvm.of(SmallReceiver.class)
              .args("nats://127.0.0.1:" + nats.server.port(), "large")
              .heapMib(HEAP_MIB)
              .onLine(lines::add)
              .start()) {
        Await.until(
            () -> "all are received; there are " + got(),
            PATIENCE,
            () -> got().size() >= published);
        assertThat(got())
            .containsExactlyElementsOf(
                IntStream.range(0, published).mapToObj(i -> "GOT large-" + i).toList());
        assertThat(lines).noneMatch(line -> line.contains("OutOfMemoryError"));
        assertThat(receiver.isAlive()).isTrue();
      }
    }
  }

  private List<String> got() {
    return lines.stream().filter(line -> line.startsWith("GOT ")).toList();
  }
}
