// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.relay.handler.HandlerPublisher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * A handler in this application that fails for one type. Its executor, when taken away, refuses
 * what is given to it, as one does that was shut down.
 */
final class HandlerFixture implements PublisherFixture {

  private static final String UNACCEPTABLE = "unacceptable";
  private static final int THREADS = 3;

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Message> handled = new ArrayList<>();
  private final HandlerPublisher publisher = new HandlerPublisher(this::handle, this::execute);
  private volatile boolean away;

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
    synchronized (handled) {
      handled.add(message);
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
      assertThat(handled.stream().map(Message::id)).containsAll(ids);
      return handled.stream().map(message -> Received.of("memory", message)).toList();
    }
  }

  @Override
  public void takeAway() {
    away = true;
  }

  @Override
  public void bringBack() {
    away = false;
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
