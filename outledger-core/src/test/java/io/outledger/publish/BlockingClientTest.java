// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import java.sql.SQLException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client takes back that has one thread, which is held up until the test lets it go. */
class BlockingClientTest {

  private final ThreadPoolExecutor pool =
      new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch held = new CountDownLatch(1);
  private final Set<Long> sent = ConcurrentHashMap.newKeySet();
  private final BlockingClient client =
      new BlockingClient(
          pool,
          (position, attempt, message) -> {
            waitHere();
            sent.add(position);
            return Outcome.PUBLISHED;
          },
          (position, outcome) -> {});

  private void waitHere() {
    begun.countDown();
    try {
      held.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void end() {
    held.countDown();
    pool.shutdownNow();
  }

  private void publish(long first, long last) {
    Message message = Message.to("topic", "type").payload(new byte[0]).build();
    for (long position = first; position <= last; position++) {
      client.publish(position, 1, message);
    }
  }

  @Test
  void queueDoesNotGrowHoweverOftenMessagesAreTakenBackAndHandedOverAgain() throws Exception {
    publish(1, 100);
    begun.await();
    for (int again = 0; again < 10; again++) {
      assertThat(client.recall()).hasSize(99).doesNotContain(1L);
      assertThat(pool.getQueue()).isEmpty();
      publish(2, 100);
    }
    assertThat(pool.getQueue()).hasSize(99);
    client.close();
    assertThat(pool.getQueue()).isEmpty();
  }

  /** It goes into {@code outledger_parked}, and to whoever reads the log. */
  @Test
  void whatASendThrowsIsToldOnOneLineAndWithoutTheValuesOfARow() throws Exception {
    SQLException duplicate = new SQLException("ERROR: duplicate key\n  Detail: (email)=(alice)");
    Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    BlockingClient failing =
        new BlockingClient(
            pool,
            (position, attempt, message) -> {
              throw new IllegalStateException(duplicate);
            },
            (position, outcome) -> outcomes.add(outcome));
    failing.publish(1, 1, Message.to("topic", "type").build());
    pool.shutdown();
    assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(outcomes)
        .singleElement()
        .isEqualTo(
            Outcome.suspect(
                "java.lang.IllegalStateException: java.sql.SQLException: ERROR: duplicate key"));
  }

  @Test
  void whatIsHandedOverAgainIsSent() throws Exception {
    publish(1, 10);
    begun.await();
    client.recall();
    publish(5, 6);
    held.countDown();
    pool.shutdown();
    assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(sent).containsExactlyInAnyOrder(1L, 5L, 6L);
  }
}
