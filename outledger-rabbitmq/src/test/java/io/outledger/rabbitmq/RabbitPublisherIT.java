// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.rabbitmq.client.ConnectionFactory;
import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.publish.Publisher;
import io.outledger.servers.Ports;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a broker, its line and its operators do to a publisher, and which outcome that is. */
final class RabbitPublisherIT {

  private final SharedRabbit rabbit = new SharedRabbit();
  private final String queue = SharedRabbit.queue();

  @AfterEach
  void close() {
    rabbit.line.close();
    SharedRabbit.on(channel -> channel.queueDelete(queue));
  }

  private RabbitPublisher publisher() {
    return RabbitPublisher.to(rabbit.broker());
  }

  private static Message message(String topic, String key) {
    return message(topic, key, new byte[] {1});
  }

  private static Message message(String topic, String key, byte[] payload) {
    return Message.to(topic, "order.placed").key(key).payload(payload).build();
  }

  private List<Message> messages(int count) {
    return IntStream.range(0, count).mapToObj(i -> message(queue, "key-" + i % 3)).toList();
  }

  private static List<Outcome> send(Publisher publisher, Message... messages) {
    try (RabbitSender sender = new RabbitSender(publisher)) {
      return sender.send(List.of(messages));
    }
  }

  private static Outcome.Rejected.Kind kind(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
    return ((Outcome.Rejected) outcome).kind();
  }

  private static List<String> idsIn(String queue) {
    return Queues.take(queue).stream().map(Received::id).toList();
  }

  private static String id(Message message) {
    return message.id().toString();
  }

  @Test
  void wrongAddressIsAnOutage() {
    ConnectionFactory factory = SharedRabbit.factory(Ports.free());
    assertThatExceptionOfType(DestinationUnavailableException.class)
        .isThrownBy(() -> new RabbitSender(RabbitPublisher.to(RabbitBroker.of(factory))))
        .withMessageContaining("cannot connect to RabbitMQ at [127.0.0.1:");
  }

  @Test
  void nextNodeIsTriedWhereOneIsAway() {
    RabbitBroker broker =
        rabbit.broker().nodes("127.0.0.1:" + Ports.free(), "127.0.0.1:" + rabbit.line.port());
    Message message = message(queue, "a");
    assertThat(send(RabbitPublisher.to(broker), message)).containsExactly(Outcome.PUBLISHED);
  }

  @Test
  void wrongPasswordIsAnOutageThatSaysSo() {
    ConnectionFactory factory = SharedRabbit.factory(rabbit.line.port());
    factory.setPassword("wrong-one");
    assertThatExceptionOfType(DestinationUnavailableException.class)
        .isThrownBy(() -> new RabbitSender(RabbitPublisher.to(RabbitBroker.of(factory))))
        .withMessageContaining("ACCESS_REFUSED")
        .matches(e -> !String.valueOf(e.getMessage()).contains("wrong-one"));
  }

  @Test
  void missingExchangeHoldsItsTopicsAndNoOthers() {
    Publisher publisher =
        publisher()
            .routing(
                message ->
                    message.topic().equals("lost")
                        ? new RabbitRoute("no-such-exchange", "lost")
                        : new RabbitRoute("", message.topic()));
    try (RabbitSender sender = new RabbitSender(publisher)) {
      List<Outcome> outcomes =
          sender.send(
              List.of(
                  message(queue, "a"),
                  message("lost", "b"),
                  message("lost", "c"),
                  message(queue, "d")));
      assertThat(List.of(outcomes.get(0), outcomes.get(3))).containsOnly(Outcome.PUBLISHED);
      assertThat(kind(outcomes.get(1))).isEqualTo(Outcome.Rejected.Kind.TOPIC);
      assertThat(kind(outcomes.get(2))).isEqualTo(Outcome.Rejected.Kind.TOPIC);
      assertThat(((Outcome.Rejected) outcomes.get(1)).reason())
          .contains("no exchange 'no-such-exchange'")
          .contains("declare exchange 'no-such-exchange'");
      SharedRabbit.on(
          channel -> {
            channel.exchangeDeclare("no-such-exchange", "fanout", true);
            return channel.queueBind(queue, "no-such-exchange", "");
          });
      sender.hand(message("lost", "e"));
      assertThat(sender.outcomes().get(4)).isEqualTo(Outcome.PUBLISHED);
    }
    SharedRabbit.on(channel -> channel.exchangeDelete("no-such-exchange"));
    assertThat(idsIn(queue)).hasSize(3);
  }

  @Test
  void unroutableMessageIsRejectedThoughItIsConfirmed() {
    Message lost = message("no-such-queue", "a");
    Message found = message(queue, "b");
    List<Outcome> outcomes = send(publisher(), lost, found);
    assertThat(kind(outcomes.get(0))).isEqualTo(Outcome.Rejected.Kind.TOPIC);
    assertThat(((Outcome.Rejected) outcomes.get(0)).reason())
        .contains("NO_ROUTE (312)")
        .contains("declare the queue");
    assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void unroutableMessageIsNotMistakenForAnotherOneWithItsId() {
    Message found = message(queue, "a");
    Message lost = Message.to("no-such-queue", "t").id(found.id()).build();
    List<Outcome> outcomes = send(publisher(), found, lost, message(queue, "b"));
    assertThat(outcomes.get(0)).isEqualTo(Outcome.PUBLISHED);
    assertThat(kind(outcomes.get(1))).isEqualTo(Outcome.Rejected.Kind.TOPIC);
    assertThat(outcomes.get(2)).isEqualTo(Outcome.PUBLISHED);
  }

  /** It comes back at once, while those before it wait for the broker's disk. */
  @Test
  void unroutableMessageIsNotMistakenForOneThatIsStillOnItsWay() {
    Message[] messages =
        Stream.concat(
                Stream.generate(() -> message(queue, "a")).limit(50),
                Stream.of(message("no-such-queue", "b")))
            .toArray(Message[]::new);
    List<Outcome> outcomes = send(publisher(), messages);
    assertThat(outcomes.subList(0, 50)).containsOnly(Outcome.PUBLISHED);
    assertThat(kind(outcomes.get(50))).isEqualTo(Outcome.Rejected.Kind.TOPIC);
  }

  @Test
  void messageThatIsLargerThanTheLimitIsRejectedBeforeItIsSent() {
    Message large = message(queue, "a", new byte[1_001]);
    Message fitting = message(queue, "b", new byte[1_000]);
    List<Outcome> outcomes = send(publisher().bodyBytesMax(1_000), large, fitting);
    assertThat(kind(outcomes.get(0))).isEqualTo(Outcome.Rejected.Kind.DEFINITE);
    assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void unroutableMessageIsItsOwnFaultWhereItsKeyMayRouteIt() {
    Publisher byKey =
        publisher().routing(each -> new RabbitRoute("", each.topic() + "." + each.key()));
    assertThat(kind(send(byKey, message(queue, "a")).get(0)))
        .isEqualTo(Outcome.Rejected.Kind.DEFINITE);
  }

  @Test
  void messageThatCannotBeRoutedAtAllIsADeadLetter() {
    Publisher longNames = publisher().routing(each -> new RabbitRoute("", "x".repeat(256)));
    assertThat(kind(send(longNames, message(queue, "a")).get(0)))
        .isEqualTo(Outcome.Rejected.Kind.FINAL);
    Message next = message(queue, "b");
    assertThat(send(publisher(), next)).containsExactly(Outcome.PUBLISHED);
  }

  @Test
  void exchangeWhoseNameIsTooLongIsTheCallersMistake() {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> publisher().exchange("ü".repeat(150)))
        .withMessage("OUT-021 exchange has 300 bytes, but RabbitMQ takes 255");
  }

  @Test
  void headerThatInstructsRabbitMqIsADeadLetterAndHoldsNobodyUp() {
    for (String name :
        List.of("CC", "BCC", "x-delay", "X-Deduplication-Header", "x-received-from")) {
      Message routes = Message.to(queue, "t").header(name, "elsewhere").build();
      List<Outcome> outcomes = send(publisher(), routes, message(queue, "b"));
      assertThat(kind(outcomes.get(0))).isEqualTo(Outcome.Rejected.Kind.FINAL);
      assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
    }
  }

  @Test
  @SuppressWarnings("NullAway") // what users' functions return
  void functionThatKnowsNoRouteForAMessageHoldsNobodyUp() {
    Publisher some =
        publisher()
            .routing(each -> each.topic().equals("lost") ? null : new RabbitRoute("", queue));
    List<Outcome> outcomes = send(some, message("lost", "a"), message("found", "b"));
    assertThat(kind(outcomes.get(0))).isEqualTo(Outcome.Rejected.Kind.FINAL);
    assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void messageAboveTheBrokersLimitIsRejectedAndOthersGoOnWithTheNextClient() {
    Message tooLarge = message(queue, "a", new byte[2_500_000]);
    List<Message> others = messages(6);
    List<Outcome> first = send(publisher(), others.get(0), tooLarge, others.get(1));
    assertThat(kind(first.get(1))).isEqualTo(Outcome.Rejected.Kind.DEFINITE);
    assertThat(((Outcome.Rejected) first.get(1)).reason()).contains("max size");
    assertThat(first.get(2)).isNotInstanceOf(Outcome.Rejected.class);
    try (RabbitSender sender = new RabbitSender(publisher())) {
      assertThat(sender.send(others)).containsOnly(Outcome.PUBLISHED);
    }
    assertThat(idsIn(queue)).contains(id(others.get(5))).doesNotContain(id(tooLarge));
  }

  @Test
  void fullQueueHoldsItsTopicAndCountsNoAttempt() {
    Map<String, Object> arguments = Map.of("x-max-length", 1, "x-overflow", "reject-publish");
    String small = queue + "-small";
    SharedRabbit.on(channel -> channel.queueDeclare(small, true, false, false, arguments));
    List<Outcome> outcomes =
        send(publisher(), message(small, "a"), message(small, "b"), message(small, "c"));
    assertThat(outcomes.get(0)).isEqualTo(Outcome.PUBLISHED);
    assertThat(kind(outcomes.get(2))).isEqualTo(Outcome.Rejected.Kind.TOPIC);
    assertThat(((Outcome.Rejected) outcomes.get(2)).reason()).contains("nack");
    SharedRabbit.on(channel -> channel.queueDelete(small));
  }

  @Test
  void queueThatConfirmsNothingIsToldAndTheClientGoesOnWithOthers() {
    String stuck = SharedRabbit.classicQueue();
    SharedRabbit.SERVER.suspendQueue(stuck);
    try (RabbitSender sender = new RabbitSender(publisher())) {
      sender.hand(message(stuck, "a"));
      sender.hand(message(queue, "b"));
      assertThat(sender.outcomes().get(0)).matches(RabbitPublisherIT::isUnanswered);
      assertThat(sender.outcomes().get(1)).isEqualTo(Outcome.PUBLISHED);
      sender.hand(message(stuck, "a"));
      assertThat(sender.outcomes().get(2)).matches(RabbitPublisherIT::isUnanswered);
      sender.hand(message(queue, "c"));
      assertThat(sender.outcomes().get(3)).isEqualTo(Outcome.PUBLISHED);
    } finally {
      SharedRabbit.SERVER.resumeQueue(stuck);
      SharedRabbit.on(channel -> channel.queueDelete(stuck));
    }
  }

  private static boolean isUnanswered(Outcome outcome) {
    return outcome instanceof Outcome.Unavailable away
        && away.kind() == Outcome.Unavailable.Kind.UNANSWERED;
  }

  @Test
  void brokerThatBlocksPublishersIsAnOutage() {
    SharedRabbit.SERVER.alarm();
    try (RabbitSender sender = new RabbitSender(publisher())) {
      assertThat(sender.send(messages(3))).hasOnlyElementsOfType(Outcome.Unavailable.class);
      assertThat(sender.outcomes())
          .anyMatch(each -> ((Outcome.Unavailable) each).reason().contains("takes no messages"));
    } finally {
      SharedRabbit.SERVER.endAlarm();
    }
    assertThat(send(publisher(), message(queue, "a"))).containsExactly(Outcome.PUBLISHED);
  }

  @Test
  void frozenBrokerDoesNotBlockTheRelaysThread() {
    try (RabbitSender sender = new RabbitSender(publisher())) {
      SharedRabbit.SERVER.suspend();
      for (int i = 0; i < 40; i++) {
        sender.hand(message(queue, "a", new byte[1_000_000])); // more than any socket buffers
      }
      assertThat(sender.outcomes()).hasOnlyElementsOfType(Outcome.Unavailable.class);
    } finally {
      SharedRabbit.SERVER.resume();
    }
  }

  @Test
  void connectionThatBreaksAtAnyMessageLosesNothingAndKeepsTheOrder() {
    List<Message> messages = messages(12);
    int next = 0;
    for (int round = 1; next < messages.size(); round++) {
      try (RabbitSender sender = new RabbitSender(publisher())) {
        for (int i = next; i < messages.size(); i++) {
          if (i == round) {
            rabbit.line.cut();
          }
          sender.hand(messages.get(i));
        }
        List<Outcome> outcomes = sender.outcomes();
        assertThat(outcomes)
            .hasOnlyElementsOfTypes(Outcome.Published.class, Outcome.Unavailable.class);
        int published = 0;
        while (published < outcomes.size() && outcomes.get(published) == Outcome.PUBLISHED) {
          published++;
        }
        assertThat(outcomes.subList(published, outcomes.size())).doesNotContain(Outcome.PUBLISHED);
        next += published;
      }
    }
    assertThat(idsIn(queue).stream().distinct())
        .containsExactlyElementsOf(messages.stream().map(RabbitPublisherIT::id).toList());
  }

  @Test
  void answersThatAreLostLeaveTheFateUnknownInTime() {
    Message lost = message(queue, "a");
    try (RabbitSender sender = new RabbitSender(publisher())) {
      assertThat(sender.send(List.of(message(queue, "a")))).containsOnly(Outcome.PUBLISHED);
      rabbit.line.swallowReplies();
      long before = System.nanoTime();
      sender.hand(lost);
      assertThat(sender.outcomes().get(1))
          .isInstanceOfSatisfying(
              Outcome.Unavailable.class, each -> assertThat(each.isFateKnown()).isFalse());
      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .isLessThan(RabbitSender.DELIVERY_TIME_MAX);
    }
    rabbit.line.pass();
    assertThat(idsIn(queue)).contains(id(lost)); // it had arrived, which nobody could know
  }
}
