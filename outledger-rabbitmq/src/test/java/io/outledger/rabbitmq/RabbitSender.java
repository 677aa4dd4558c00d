// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** A client, and the outcome of each message that it was handed, by position. */
final class RabbitSender implements Outcomes, AutoCloseable {

  static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(4);

  private final Map<Long, Outcome> reported = new ConcurrentHashMap<>();
  private final PublisherClient client;
  private int sent;

  RabbitSender(Publisher publisher) {
    client = publisher.open(DELIVERY_TIME_MAX, this);
  }

  @Override
  public void report(long position, Outcome outcome) {
    if (reported.put(position, outcome) != null) {
      throw new IllegalStateException("two outcomes of position " + position);
    }
  }

  void hand(Message message) {
    client.publish(++sent, 1, message);
  }

  /** Returns the outcomes of all messages so far, in order, once they are there. */
  List<Outcome> outcomes() {
    Await.until(
        () -> "outcomes of " + sent + " messages; there are " + reported,
        DELIVERY_TIME_MAX.plusSeconds(5),
        () -> reported.size() == sent);
    return IntStream.rangeClosed(1, sent).mapToObj(i -> reported.get((long) i)).toList();
  }

  List<Outcome> send(List<Message> messages) {
    messages.forEach(this::hand);
    client.flush();
    return outcomes();
  }

  @Override
  public void close() {
    client.close();
  }
}
