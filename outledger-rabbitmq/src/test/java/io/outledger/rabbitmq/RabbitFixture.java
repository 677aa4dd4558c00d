// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import io.outledger.Message;
import io.outledger.contracts.PublisherFixture;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** A queue of its own on a broker behind a line that can be taken away. */
final class RabbitFixture implements PublisherFixture {

  private final SharedRabbit rabbit = new SharedRabbit();
  private final String queue = SharedRabbit.classicQueue();
  private final Publisher publisher = RabbitPublisher.to(rabbit.broker());
  private final List<Received> arrived = new ArrayList<>();

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return queue;
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    Await.until(
        () -> "messages arrive; there are " + arrived.size(),
        Duration.ofSeconds(30),
        () -> {
          arrived.addAll(Queues.take(queue));
          return arrived.stream().map(Received::id).toList().containsAll(awaited);
        });
    return List.copyOf(arrived);
  }

  @Override
  public void takeAway() {
    rabbit.line.refuse();
  }

  @Override
  public void loseAnswers() {
    rabbit.line.swallowReplies();
  }

  @Override
  public void cutAt(String text) {
    rabbit.line.cutAt(text);
  }

  @Override
  public void bringBack() {
    rabbit.line.pass();
  }

  @Override
  public void crash() {
    SharedRabbit.SERVER.syncDefinitions();
    SharedRabbit.crash(queue);
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  /** One that no queue takes: what is too large for the broker closes the channel. */
  @Override
  public Message unacceptable(String key) {
    return Message.to(queue + ".missing", "order.placed").key(key).build();
  }

  @Override
  public void close() {
    rabbit.line.close();
    SharedRabbit.on(channel -> channel.queueDelete(queue));
  }
}
