// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.publish.Publisher;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A broker that is killed under a publisher. */
final class RabbitKilledIT {

  private static List<Outcome> send(Publisher publisher, List<Message> messages) {
    try (RabbitSender sender = new RabbitSender(publisher)) {
      return sender.send(messages);
    }
  }

  @Test
  void nothingThatWasConfirmedIsLostWhenTheBrokerIsKilled() {
    SharedRabbit rabbit = new SharedRabbit();
    String queue = SharedRabbit.classicQueue();
    Publisher publisher = RabbitPublisher.to(rabbit.broker());
    List<Message> messages =
        IntStream.range(0, 400)
            .mapToObj(i -> Message.to(queue, "order.placed").key("key-" + i % 3).build())
            .toList();
    int published = 0;
    try (RabbitSender sender = new RabbitSender(publisher)) {
      sender.send(messages.subList(0, 50));
      messages.subList(50, 200).forEach(sender::hand);
      SharedRabbit.SERVER.kill();
      messages.subList(200, 400).forEach(sender::hand);
      List<Outcome> outcomes = sender.outcomes();
      while (outcomes.get(published) == Outcome.PUBLISHED) {
        published++;
      }
      assertThat(published).isGreaterThanOrEqualTo(50);
      assertThat(outcomes.subList(published, 400)).doesNotContain(Outcome.PUBLISHED);
      assertThat(outcomes.get(399)).isInstanceOf(Outcome.Unavailable.class);
    }
    SharedRabbit.crash(queue);
    assertThat(send(publisher, messages.subList(published, 400))).containsOnly(Outcome.PUBLISHED);
    List<String> all = messages.stream().map(Message::id).map(Object::toString).toList();
    assertThat(Queues.take(queue).stream().map(Received::id).distinct())
        .containsExactlyElementsOf(all);
    rabbit.line.close();
  }
}
