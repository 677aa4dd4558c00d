// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Publisher;
import io.outledger.relay.handler.HandlerPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A handler in this application that fails for one type. Its executor, when taken away, refuses
 * what is given to it, as one does that was shut down.
 */
final class HandlerFixture implements PublisherFixture {

  private static final String UNACCEPTABLE = "unacceptable";
  private static final int THREADS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Message> handled = new ArrayList<>();
  private final HandlerPublisher publisher = new HandlerPublisher(this::handle, this::execute);
  private volatile CountDownLatch mayReturn = new CountDownLatch(0);
  private volatile boolean away;
  private volatile String cutsAt = "";

  private void execute(Runnable work) {
    if (away) {
      throw new RejectedExecutionException("taken away by the test");
    }
    threads.execute(work);
  }

  private void handle(Message message) {
    if (message.type().equals(UNACCEPTABLE)) {
      throw new IllegalStateException("of a type that is not handled");
    }
    if (cutsAt.equals(message.key())) {
      throw new DestinationUnavailableException("the line to what the handler calls broke", null);
    }
    synchronized (handled) {
      handled.add(message);
      handled.notifyAll();
    }
    try {
      mayReturn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return "orders";
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    synchronized (handled) {
      long until = System.nanoTime() + PATIENCE.toNanos();
      while (!handledIds().containsAll(ids)) {
        long left = until - System.nanoTime();
        assertThat(left).as("nanoseconds that are left").isPositive();
        await(left);
      }
      return handled.stream().map(message -> Received.of("memory", message)).toList();
    }
  }

  private Set<UUID> handledIds() {
    return handled.stream().map(Message::id).collect(Collectors.toSet());
  }

  private void await(long nanos) {
    try {
      TimeUnit.NANOSECONDS.timedWait(handled, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for a handler", e);
    }
  }

  @Override
  public void takeAway() {
    away = true;
  }

  /** Its answer is that it returns. */
  @Override
  public void loseAnswers() {
    mayReturn = new CountDownLatch(1);
  }

  @Override
  public void cutAt(String text) {
    cutsAt = text;
  }

  @Override
  public void bringBack() {
    away = false;
    mayReturn.countDown();
  }

  /** A handler ends with this process alone: its executor refuses its work for a moment. */
  @Override
  public void crash() {
    away = true;
    away = false;
  }

  /** What a handler or an executor throws is in the log of this process, which is not kept. */
  @Override
  public List<String> logOf(Runnable work) {
    work.run();
    return List.of();
  }

  @Override
  public LateAnswer lateAnswer() {
    return LateAnswer.AWAITED;
  }

  @Override
  public Message unacceptable(String key) {
    return Message.to(topic(), UNACCEPTABLE).key(key).build();
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
