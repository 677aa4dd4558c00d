// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected.Kind;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Artemis;
import io.outledger.servers.Await;
import io.outledger.servers.Ports;
import io.outledger.servers.TcpProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AmqpPublisherIT {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final byte[] LARGE = new byte[50_000];

  private final String queue = SharedArtemis.newName();

  private static AmqpPublisher publisher(AmqpBroker broker) {
    return AmqpPublisher.to(broker).capability("queue");
  }

  private static AmqpPublisher publisher() {
    return publisher(SharedArtemis.broker());
  }

  private Message message() {
    return Message.to(queue, "order.placed").key("a").build();
  }

  private static Outcome.Rejected rejected(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
    return (Outcome.Rejected) outcome;
  }

  @Test
  void brokerThatIsNotThereOrLetsNobodyInIsToBlame() {
    AmqpBroker stranger =
        AmqpBroker.at("127.0.0.1", SharedArtemis.port())
            .client(client -> client.user("ada").password("guessed"));
    assertThatThrownBy(() -> new Sender(publisher(SharedArtemis.broker(Ports.free())), LONG))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContaining("127.0.0.1");
    assertThatThrownBy(() -> new Sender(publisher(stranger), LONG))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContaining("127.0.0.1")
        .message()
        .doesNotContain("guessed");
  }

  @Test
  void nextAddressIsTriedWhereTheBrokerIsNotAtTheFirst() {
    AmqpBroker second =
        AmqpBroker.at("127.0.0.1", Ports.free())
            .client(
                client -> {
                  client.reconnectOptions().addReconnectLocation("127.0.0.1", SharedArtemis.port());
                  return client.user(Artemis.USER).password(Artemis.PASSWORD);
                });
    try (Sender sender = new Sender(publisher(second), LONG)) {
      assertThat(sender.sendAll(List.of(message()))).containsExactly(Outcome.PUBLISHED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", Artemis.DENIED})
  void addressThatTakesNothingHoldsItsTopicAloneAndOthersAreSent(String bad) {
    try (Sender sender = new Sender(publisher(), LONG)) {
      List<Outcome> outcomes =
          sender.sendAll(List.of(message(), Message.to(bad, "order.placed").build(), message()));
      assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsOnly(Outcome.PUBLISHED);
      assertThat(rejected(outcomes.get(1)).kind()).isEqualTo(Kind.TOPIC);
      assertThat(rejected(outcomes.get(1)).reason()).contains("'" + bad + "'").contains("amqp:");
    }
  }

  @Test
  void brokerThatNeverAnswersIsNotWaitedFor() throws Exception {
    try (TcpProxy line = TcpProxy.before(SharedArtemis.port())) {
      AmqpPublisher proxied = publisher(SharedArtemis.broker(line.port()));
      line.swallowReplies();
      assertThatThrownBy(() -> new Sender(proxied, SHORT))
          .isInstanceOf(DestinationUnavailableException.class);
      line.pass();
      try (Sender sender = new Sender(proxied, SHORT)) {
        sender.connect(message());
        line.swallowReplies();
        assertThat(sender.sendAll(List.of(message())))
            .hasOnlyElementsOfType(Outcome.Unavailable.class);
        assertThat(sender.sendAll(List.of(message())))
            .hasOnlyElementsOfType(Outcome.Unavailable.class);
      }
    }
  }

  /** What it means that one is silent, the relay decides. */
  @Test
  void addressWithoutCreditIsNotWaitedForAndOthersAreSent() {
    AmqpBroker talkative =
        AmqpBroker.at("127.0.0.1", SharedArtemis.port())
            .client(
                client -> client.user(Artemis.USER).password(Artemis.PASSWORD).idleTimeout(2_000));
    Message small = Message.to(Artemis.SMALL, "x").payload(new byte[1_000]).build();
    List<Message> some = new ArrayList<>(Collections.nCopies(300, small));
    some.add(message());
    try (Sender sender = new Sender(publisher(talkative), Duration.ofSeconds(5))) {
      List<Outcome> last = List.of();
      for (int i = 0; i < 20 && !hasOutage(last); i++) { // Artemis gives credit for 1,000 first
        last = sender.sendAll(some);
        assertThat(last.get(300)).isEqualTo(Outcome.PUBLISHED);
      }
      assertThat(last.get(299))
          .isInstanceOfSatisfying(
              Outcome.Unavailable.class,
              away -> {
                assertThat(away.kind()).isEqualTo(Outcome.Unavailable.Kind.UNANSWERED);
                assertThat(away.reason()).contains("credit").contains(Artemis.SMALL);
              });
      assertThat(sender.sendAll(List.of(message()))).containsExactly(Outcome.PUBLISHED);
    }
  }

  @Test
  void addressThatIsFullAndRefusesKeepsItsTopicBack() {
    Message large = Message.to(Artemis.FULL, "x").payload(LARGE).build();
    try (Sender sender = new Sender(publisher(), LONG)) {
      List<Outcome> outcomes = sender.sendAll(Collections.nCopies(40, large));
      assertThat(outcomes).filteredOn(Outcome.PUBLISHED::equals).isNotEmpty();
      assertThat(outcomes)
          .filteredOn(one -> !one.equals(Outcome.PUBLISHED))
          .isNotEmpty()
          .allMatch(one -> rejected(one).kind() == Kind.TOPIC);
      assertThat(sender.sendAll(List.of(message()))).containsExactly(Outcome.PUBLISHED);
    }
  }

  /** A line that has ended while nothing was on its way is no reason to be silent about it. */
  @Test
  void clientWhoseLineWasLostWhileItWasIdleIsReplaced() throws Exception {
    try (TcpProxy line = TcpProxy.before(SharedArtemis.port());
        Sender sender = new Sender(publisher(SharedArtemis.broker(line.port())), LONG)) {
      assertThat(sender.sendAll(List.of(message()))).containsExactly(Outcome.PUBLISHED);
      line.cut();
      Await.until(
          "the client knows",
          LONG,
          () ->
              sender.sendAll(List.of(message())).get(0) instanceof Outcome.Unavailable away
                  && !away.isFateKnown());
    }
  }

  /** The broker hears nothing and says nothing: heartbeats are missing. */
  @Test
  void silentBrokerIsFoundOutWhileNothingIsSent() {
    AmqpBroker impatient =
        AmqpBroker.at("127.0.0.1", SharedArtemis.port())
            .client(
                client -> client.user(Artemis.USER).password(Artemis.PASSWORD).idleTimeout(2_000));
    try (AmqpConnectionProbe probe = AmqpConnectionProbe.open(impatient)) {
      SharedArtemis.server().suspend();
      try {
        Await.until("the line has ended", LONG, () -> probe.reason() != null);
      } finally {
        SharedArtemis.server().resume();
      }
      assertThat(probe.reason()).contains("idle");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudEvents_id", "CLOUDEVENTS_SOURCE"})
  void headerThatIsAnAttributeIsRefused(String header) {
    try (Sender sender = new Sender(publisher(), LONG)) {
      Message reserved = message().copy().header(header, "1").build();
      Outcome.Rejected outcome = rejected(sender.sendAll(List.of(reserved)).get(0));
      assertThat(outcome.kind()).isEqualTo(Kind.FINAL);
      assertThat(outcome.reason()).contains(header);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"_AMQ_DUPL_ID", "_amq_Lvq_Name", "__AMQ_CID", "AMQ_SCHEDULED_DELAY"})
  void headerThatInstructsABrokerIsRefusedAndNothingAcceptedIsDropped(String header)
      throws Exception {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      messages.add(Message.to(queue, "t").key("k" + i).header(header, "same").build());
    }
    messages.add(message());
    try (Sender sender = new Sender(publisher(), LONG);
        PlainClient client = new PlainClient()) {
      List<Outcome> outcomes = sender.sendAll(messages);
      for (int i = 0; i < Collections.frequency(outcomes, Outcome.PUBLISHED); i++) {
        assertThat(client.take(queue)).as("arrival %s of %s", i, outcomes).isNotNull();
      }
      assertThat(outcomes.get(3)).isEqualTo(Outcome.PUBLISHED);
      for (Outcome outcome : outcomes.subList(0, 3)) {
        assertThat(rejected(outcome).kind()).isEqualTo(Kind.FINAL);
        assertThat(rejected(outcome).reason()).contains(header);
      }
    }
  }

  @Test
  void functionsOfTheUserThatThrowRefuseTheMessageAlone() {
    AmqpPublisher naming =
        publisher()
            .addresses(
                topic -> {
                  if (topic.equals("bad")) {
                    throw new IllegalStateException("no address");
                  }
                  return topic;
                });
    try (Sender sender = new Sender(naming, LONG)) {
      List<Outcome> outcomes =
          sender.sendAll(List.of(message(), Message.to("bad", "x").build(), message()));
      assertThat(rejected(outcomes.get(1)).kind()).isEqualTo(Kind.FINAL);
      assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsOnly(Outcome.PUBLISHED);
    }
  }

  @Test
  void otherClientsSeeWhatTheBindingSays() throws Exception {
    Instant later = Instant.parse("2031-05-06T07:08:09.123Z");
    AmqpPublisher marked =
        publisher().source("/shop").groupByKey().partitionByKey().schedule(message -> later);
    Message message =
        message().copy().header("content-type", "application/json").header("tenant", "ü").build();
    try (Sender sender = new Sender(marked, LONG);
        PlainClient client = new PlainClient()) {
      assertThat(sender.sendAll(List.of(message))).containsExactly(Outcome.PUBLISHED);
      var seen = requireNonNull(client.take(queue));
      assertThat(seen.messageId()).isEqualTo(message.id().toString());
      assertThat(seen.durable()).isTrue();
      assertThat(seen.contentType()).isEqualTo("application/json");
      assertThat(seen.to()).isEqualTo(queue);
      assertThat(seen.groupId()).isEqualTo("a");
      assertThat(seen.property("cloudEvents_id")).isEqualTo(message.id().toString());
      assertThat(seen.property("cloudEvents_source")).isEqualTo("/shop");
      assertThat(seen.property("cloudEvents_partitionkey")).isEqualTo("a");
      assertThat(seen.property("tenant")).isEqualTo("ü");
      assertThat(seen.property("content-type")).isNull();
      assertThat(seen.annotation("x-opt-partition-key")).isEqualTo("a");
      assertThat(seen.annotation("x-opt-scheduled-enqueue-time")).isEqualTo(later.toEpochMilli());
      assertThat(seen.body()).isEqualTo(message.payload());
    }
  }

  @Test
  void nothingIsLostOrReorderedWhenTheBrokerIsKilledInTheMiddle() {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      messages.add(Message.to(queue, "n" + i).key("key-" + i % 5).build());
    }
    List<Message> rest = messages;
    boolean isKilled = false;
    while (!rest.isEmpty()) {
      Sender sender = new Sender(publisher(), LONG);
      try (sender) {
        rest.forEach(sender::send);
        if (!isKilled) {
          isKilled = true;
          Await.until("the first outcome", LONG, () -> sender.outcomeCount() > 0);
          SharedArtemis.crash();
        }
        sender.awaitOutcomes();
      }
      List<Outcome> outcomes = sender.outcomes();
      int done = 0;
      while (done < outcomes.size() && outcomes.get(done).equals(Outcome.PUBLISHED)) {
        done++;
      }
      assertThat(outcomes.subList(done, outcomes.size())).doesNotContain(Outcome.PUBLISHED);
      rest = rest.subList(done, rest.size());
    }
    List<Received> arrived = new CopyOnWriteArrayList<>();
    AmqpReceiver receiver = AmqpReceiver.from(SharedArtemis.broker(), queue).capability("queue");
    try (RunningReceiver running = receiver.start(arrived::addAll)) {
      Await.until(
          "all arrive",
          Duration.ofSeconds(30),
          () -> arrived.stream().map(Received::type).distinct().count() == messages.size());
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(arrived.stream().map(Received::type).distinct())
        .containsExactlyElementsOf(messages.stream().map(Message::type).toList());
  }

  private static boolean hasOutage(List<Outcome> outcomes) {
    return outcomes.stream().anyMatch(Outcome.Unavailable.class::isInstance);
  }
}
