// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.lang.Thread.State.BLOCKED;
import static java.lang.Thread.State.TERMINATED;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.servers.Await;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A client is closed while another thread is just reporting an outcome. */
final class ClosingTest {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final CountDownLatch reporting = new CountDownLatch(1);
  private final Semaphore door = new Semaphore(0);
  private final Queue<Long> reported = new ConcurrentLinkedQueue<>();

  private final Outcomes slow =
      new Outcomes() {
        @Override
        public void report(long position, Outcome outcome) {
          reporting.countDown();
          door.acquireUninterruptibly(); // the thread is interrupted when the client is closed
          reported.add(position);
        }
      };

  @Test
  void waitsUntilTheOutcomeIsReported() throws InterruptedException {
    KafkaPublisherClient client =
        KafkaPublisherClient.open(
            new KnownTopics(1),
            new ProducerOnDemand(
                () -> {
                  throw new IllegalStateException("planted: there is no producer");
                }),
            slow,
            KafkaBinding.writer("/shop"),
            new TopicRules(
                TopicRouting.byTopic(UnaryOperator.identity()),
                new SettableClock(),
                DeliveryTimes.within(Duration.ofMinutes(1)),
                "mock"));
    client.publish(1, 1, Message.to("orders", "t").payload(new byte[1]).build());
    assertThat(reporting.await(10, SECONDS)).isTrue();
    Thread closing = new Thread(client::close);
    closing.start();
    Await.until(
        () -> "the thread that closes is " + closing.getState(),
        PATIENCE,
        () -> closing.getState() == BLOCKED || closing.getState() == TERMINATED);
    assertThat(closing.getState()).isEqualTo(BLOCKED);
    door.release();
    closing.join(PATIENCE.toMillis());
    assertThat(closing.isAlive()).isFalse();
    assertThat(reported).containsExactly(1L);
  }
}
