// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Artemis;
import io.outledger.servers.Await;
import io.outledger.servers.Ports;
import io.outledger.servers.TcpProxy;
import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JmsClientIT {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(1);

  private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
  private final Outcomes told = (position, outcome) -> outcomes.add(outcome);
  private final String queue = SharedArtemis.newName();

  private PublisherClient open(JmsBroker broker, Duration timeMax) {
    return JmsPublisher.toQueues(broker).sessions(1).open(timeMax, told);
  }

  private Outcome outcome(PublisherClient client, Message message) throws InterruptedException {
    client.publish(1, 1, message);
    return outcome();
  }

  private Outcome outcome() throws InterruptedException {
    Outcome outcome = outcomes.poll(40, TimeUnit.SECONDS);
    assertThat(outcome).isNotNull();
    return outcome;
  }

  private Message message() {
    return Message.to(queue, "order.placed").build();
  }

  private static Outcome.Rejected rejected(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
    return (Outcome.Rejected) outcome;
  }

  @Test
  void brokerThatIsNotThereOrLetsNobodyInIsToBlame() throws Exception {
    JmsBroker stranger =
        JmsBroker.of("Artemis", SharedArtemis.factory(SharedArtemis.port()))
            .login("ada", "guessed");
    try (PublisherClient nowhere = open(SharedArtemis.broker(Ports.free()), LONG);
        PublisherClient out = open(stranger, LONG)) {
      assertThat(outcome(nowhere, message())).isInstanceOf(Outcome.Unavailable.class);
      Outcome outcome = outcome(out, message());
      assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
      assertThat(outcome.toString()).doesNotContain("guessed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", Artemis.DENIED})
  void queueThatTakesNothingHoldsItsTopicAloneAndOthersAreSent(String bad) throws Exception {
    try (PublisherClient client = open(SharedArtemis.broker(), LONG)) {
      client.publish(1, 1, message());
      client.publish(2, 1, Message.to(bad, "order.placed").build());
      client.publish(3, 1, message());
      List<Outcome> all = List.of(outcome(), outcome(), outcome());
      assertThat(all).filteredOn(Outcome.PUBLISHED::equals).hasSize(2);
      Outcome other =
          all.stream().filter(one -> !one.equals(Outcome.PUBLISHED)).findFirst().orElseThrow();
      assertThat(rejected(other).kind()).isEqualTo(Outcome.Rejected.Kind.TOPIC);
      assertThat(rejected(other).reason()).contains("'" + bad + "'");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 65})
  void numberOfSessionsIsChecked(int count) {
    JmsPublisher publisher = JmsPublisher.toQueues(SharedArtemis.broker());
    assertThatThrownBy(() -> publisher.sessions(count))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("sessions must be 1 to 64, not " + count);
  }

  @Test
  void brokerThatNeverAnswersIsNotWaitedFor() throws Exception {
    try (TcpProxy line = TcpProxy.before(SharedArtemis.port());
        PublisherClient silentAtOnce = open(SharedArtemis.broker(line.port()), SHORT)) {
      line.swallowReplies();
      assertThat(outcome(silentAtOnce, message())).isInstanceOf(Outcome.Unavailable.class);
      line.pass();
      try (PublisherClient later = open(SharedArtemis.broker(line.port()), Duration.ofSeconds(5))) {
        assertThat(outcome(later, message())).isEqualTo(Outcome.PUBLISHED);
        line.swallowReplies();
        assertThat(outcome(later, message())).isInstanceOf(Outcome.Unavailable.class);
        assertThat(outcome(later, message())).isInstanceOf(Outcome.Unavailable.class);
      }
    }
  }

  @Test
  void nothingIsSentBehindAMessageOfUnknownFate() throws Exception {
    LostCommits commits = new LostCommits(SharedArtemis.factory(SharedArtemis.port()));
    JmsBroker broker =
        JmsBroker.of("Artemis", commits.factory()).login(Artemis.USER, Artemis.PASSWORD);
    try (PublisherClient client = open(broker, LONG)) {
      client.publish(1, 1, message());
      commits.awaitFirst();
      client.publish(2, 1, message());
      commits.loseFirst();
      assertThat(List.of(outcome(), outcome())).hasOnlyElementsOfType(Outcome.Unavailable.class);
    }
  }

  @Test
  void errorWhileSendingLeavesNoMessageWithoutAnOutcome() throws Exception {
    OddBroker failing =
        new OddBroker(SharedArtemis.factory(SharedArtemis.port())) {
          @Override
          void before(String method) {
            if (method.equals("send")) {
              throw new StackOverflowError("too deep");
            }
          }
        };
    JmsBroker broker =
        JmsBroker.of("Artemis", failing.factory()).login(Artemis.USER, Artemis.PASSWORD);
    try (PublisherClient client = open(broker, LONG)) {
      Outcome outcome = outcome(client, message());
      assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
      assertThat(outcome.toString()).contains("too deep");
    }
  }

  @Test
  void senderThatIsHeldUpEndsWithItsClientAndLeavesNoConnection() throws Exception {
    try (TcpProxy line = TcpProxy.before(SharedArtemis.port())) {
      PublisherClient client = open(SharedArtemis.broker(line.port()), Duration.ofSeconds(3));
      byte[] large = new byte[50_000];
      for (int i = 0; i < 40; i++) {
        client.publish(i, 1, Message.to(Artemis.SMALL, "x").payload(large).build());
      }
      for (int i = 0; i < 40; i++) {
        outcome();
      }
      client.close();
      Await.until("it has left", LONG, () -> line.connectionCount() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"JMSXGroupID", "jmsType", "9lives", "a/b", "AND", "null", "a_DOT_b"})
  void headerThatCannotBeAPropertyIsRefused(String header) throws Exception {
    try (PublisherClient client = open(SharedArtemis.broker(), LONG)) {
      Outcome.Rejected outcome =
          rejected(outcome(client, message().copy().header(header, "1").build()));
      assertThat(outcome.kind()).isEqualTo(Outcome.Rejected.Kind.FINAL);
      assertThat(outcome.reason()).contains(header);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"_AMQ_DUPL_ID", "_amq_Lvq_Name", "_HQ_DUPL_ID", "AMQ_SCHEDULED_DELAY"})
  void headerThatInstructsABrokerIsRefusedAndNothingAcceptedIsDropped(String header)
      throws Exception {
    int accepted = 0;
    try (PublisherClient client = open(SharedArtemis.broker(), LONG)) {
      for (int i = 0; i < 3; i++) {
        client.publish(i, 1, message().copy().header(header, "same").build());
        Outcome outcome = outcome();
        if (outcome == Outcome.PUBLISHED) {
          accepted++;
        } else {
          assertThat(rejected(outcome).kind()).isEqualTo(Outcome.Rejected.Kind.FINAL);
          assertThat(rejected(outcome).reason()).contains(header);
        }
      }
    }
    try (Connection connection = SharedArtemis.broker().connect();
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
      connection.start();
      MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
      for (int i = 0; i < accepted; i++) {
        assertThat(consumer.receive(5_000)).as("arrival %s of %s", i, accepted).isNotNull();
      }
    }
    assertThat(accepted).isZero();
  }

  @Test
  void whatInstructedTheBrokerIsNotPassedOn() throws Exception {
    try (Connection connection = SharedArtemis.broker().connect();
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
      TextMessage sent = session.createTextMessage("x");
      for (String attribute : List.of("id", "source", "type")) {
        sent.setStringProperty("cloudEvents_" + attribute, "1");
      }
      sent.setStringProperty("cloudEvents_specversion", "1.0");
      sent.setStringProperty("_AMQ_DUPL_ID", queue);
      sent.setStringProperty("JMSXGroupID", "g");
      sent.setStringProperty("tenant", "a");
      session.createProducer(session.createQueue(queue)).send(sent);
      connection.start();
      jakarta.jms.Message arrived =
          session.createConsumer(session.createQueue(queue)).receive(5_000);
      Received received = JmsBinding.read("it", new JmsBinding.Origin(queue, queue), arrived, 9);
      assertThat(received.headers()).containsExactly(Map.entry("tenant", "a"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders.*", "orders.#", "a,b", "queue://a", "a::b", "a?b=c", "a b"})
  void topicThatABrokerWouldReadAsSomethingElseIsRefused(String topic) throws Exception {
    try (PublisherClient client = open(SharedArtemis.broker(), LONG)) {
      Outcome.Rejected outcome = rejected(outcome(client, Message.to(topic, "x").build()));
      assertThat(outcome.kind()).isEqualTo(Outcome.Rejected.Kind.FINAL);
    }
  }

  @Test
  void payloadThatIsTooLargeIsNotSent() throws Exception {
    try (PublisherClient client =
        JmsPublisher.toQueues(SharedArtemis.broker()).payloadBytesMax(10).open(LONG, told)) {
      Outcome.Rejected outcome =
          rejected(outcome(client, message().copy().payload(new byte[11]).build()));
      assertThat(outcome.kind()).isEqualTo(Outcome.Rejected.Kind.DEFINITE);
      assertThat(outcome(client, message().copy().payload(new byte[10]).build()))
          .isEqualTo(Outcome.PUBLISHED);
    }
  }

  @Test
  void nothingIsLostOrReorderedWhenTheBrokerIsKilledInTheMiddle() throws Exception {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      messages.add(Message.to(queue, "n" + i).key("key-" + i % 5).build());
    }
    List<String> published = new ArrayList<>();
    int from = 0;
    boolean isKilled = false;
    while (from < messages.size()) {
      try (PublisherClient client = open(SharedArtemis.broker(), LONG)) {
        for (int i = from; i < messages.size(); i++) {
          client.publish(i, 1, messages.get(i));
        }
        if (!isKilled && outcome() instanceof Outcome.Published) {
          isKilled = true;
          published.add(messages.get(from++).type());
          SharedArtemis.crash();
        }
        Outcome outcome = outcome();
        while (outcome instanceof Outcome.Published && from < messages.size()) {
          published.add(messages.get(from++).type());
          outcome = from < messages.size() ? outcome() : outcome;
        }
      }
      outcomes.clear();
    }
    assertThat(published).hasSize(500);
    List<Received> arrived = new CopyOnWriteArrayList<>();
    try (RunningReceiver receiver =
        JmsReceiver.fromQueue(SharedArtemis.broker(), queue).start(arrived::addAll)) {
      Await.until(
          "all arrive",
          Duration.ofSeconds(30),
          () -> arrived.stream().map(Received::type).distinct().count() == 500);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(arrived.stream().map(Received::type).distinct())
        .containsExactlyElementsOf(published);
  }

  @Test
  void everySubscriptionToATopicReceivesAndReceiversOfOneShareIt() throws Exception {
    List<Received> audit = new CopyOnWriteArrayList<>();
    List<Received> billing = new CopyOnWriteArrayList<>();
    JmsBroker broker = SharedArtemis.broker();
    try (RunningReceiver a = JmsReceiver.fromTopic(broker, queue, "audit").start(audit::addAll);
        RunningReceiver b = JmsReceiver.fromTopic(broker, queue, "billing").start(billing::addAll);
        RunningReceiver c = JmsReceiver.fromTopic(broker, queue, "billing").start(billing::addAll);
        PublisherClient client = JmsPublisher.toTopics(broker).open(LONG, told)) {
      Await.until(
          "both are subscribed",
          Duration.ofSeconds(30),
          () -> {
            outcome(client, message());
            return !audit.isEmpty() && !billing.isEmpty();
          });
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Message message = message();
        sent.add(message.id().toString());
        assertThat(outcome(client, message)).isEqualTo(Outcome.PUBLISHED);
      }
      Await.until(
          "all arrive at both",
          Duration.ofSeconds(30),
          () -> ids(audit).containsAll(sent) && ids(billing).containsAll(sent));
      assertThat(List.of(a, b, c)).allMatch(RunningReceiver::isRunning);
    }
    assertThat(ids(billing)).doesNotHaveDuplicates();
  }

  @Test
  void messageThatCannotBeReceivedIsNotedWithItsPayload() throws Exception {
    JmsBroker broker = SharedArtemis.broker();
    try (Connection connection = broker.connect();
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
      session
          .createProducer(session.createQueue(queue))
          .send(session.createTextMessage("stranger"));
    }
    List<String> noted = new CopyOnWriteArrayList<>();
    List<Received> arrived = new CopyOnWriteArrayList<>();
    JmsReceiver receiver =
        JmsReceiver.fromQueue(broker, queue)
            .origin("old")
            .unreadable((place, payload, reason) -> noted.add(place + new String(payload, UTF_8)));
    try (RunningReceiver running = receiver.start(arrived::addAll);
        PublisherClient client = open(broker, LONG)) {
      assertThat(outcome(client, message())).isEqualTo(Outcome.PUBLISHED);
      Await.until("the next one", Duration.ofSeconds(30), () -> !arrived.isEmpty());
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(noted).containsExactly("message 1 of queue " + queue + "stranger");
    assertThat(arrived.get(0).origin()).isEqualTo("old");
  }

  private static List<String> ids(List<Received> messages) {
    return messages.stream().map(Received::id).toList();
  }
}
