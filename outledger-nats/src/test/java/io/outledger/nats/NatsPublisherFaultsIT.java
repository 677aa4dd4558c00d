// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected.Kind;
import io.outledger.servers.Await;
import io.outledger.servers.Ports;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What each failure of NATS means for a message. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NatsPublisherFaultsIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(8);
  private static final Duration SHORT = Duration.ofMillis(1_200);
  private static final String SETTINGS =
      """
      max_payload: 100000
      accounts { SHOP {
        jetstream: enabled
        users: [
          { user: any, password: any },
          { user: shop, password: "s3cret", permissions: {
              publish: { allow: ["orders.>", "$JS.API.>"] }, subscribe: { allow: [">"] } } }
        ] } }
      no_auth_user: any
      """;

  private final ProxiedNats nats = ProxiedNats.start(SETTINGS);

  @BeforeAll
  void createStreams() throws Exception {
    nats.createStream("orders", "orders.>", "secret.>");
  }

  @AfterEach
  void mend() {
    nats.line.pass();
  }

  @AfterAll
  void close() {
    nats.close();
  }

  private NatsPublisher publisher() {
    return NatsPublisher.with(nats.options());
  }

  private static Message message(String topic, String key) {
    return Message.to(topic, "order.placed").key(key).build();
  }

  private static Outcome outcome(NatsPublisher publisher, Message message) {
    try (Sender sender = new Sender(publisher, DELIVERY_TIME_MAX)) {
      return sender.sendAll(List.of(message)).get(0);
    }
  }

  private static void assertRejected(Outcome outcome, Kind kind, String... parts) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            rejected -> {
              assertThat(rejected.kind()).isEqualTo(kind);
              assertThat(rejected.reason()).contains(parts);
            });
  }

  private static void assertUnavailable(Outcome outcome, boolean isFateKnown, String... parts) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class,
            unavailable -> {
              assertThat(unavailable.isFateKnown()).isEqualTo(isFateKnown);
              assertThat(unavailable.reason()).contains(parts);
            });
  }

  @Test
  void addressWithoutAServerIsUnreachable() {
    int port = Ports.free();
    Options options = Options.builder().server("nats://me:pw@127.0.0.1:" + port).build();
    Outcome outcome = outcome(NatsPublisher.with(options), message("orders.a", "k"));
    assertUnavailable(outcome, true, "cannot connect to NATS at 127.0.0.1:" + port);
    assertThat(outcome.toString()).doesNotContain("pw");
  }

  @Test
  void wrongPasswordIsSaid() {
    Options options = Options.builder().server(nats.address()).userInfo("shop", "wrong").build();
    assertUnavailable(
        outcome(NatsPublisher.with(options), message("orders.a", "k")), true, "credentials");
  }

  @Test
  void subjectWithoutAStreamIsHeldBackAndTheOthersContinue() {
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      List<Outcome> outcomes =
          sender.sendAll(List.of(message("invoices.a", "k"), message("orders.a", "l")));
      assertRejected(outcomes.get(0), Kind.TOPIC, "no stream takes NATS subject 'invoices.a'");
      assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
    }
  }

  @Test
  void subjectThatMayNotBeWrittenIsHeldBackAndTheOthersContinue() {
    Options options = Options.builder().server(nats.address()).userInfo("shop", "s3cret").build();
    try (Sender sender = new Sender(NatsPublisher.with(options), DELIVERY_TIME_MAX)) {
      List<Outcome> outcomes =
          sender.sendAll(List.of(message("secret.a", "k"), message("orders.a", "l")));
      assertRejected(outcomes.get(0), Kind.TOPIC, "secret.a", "give the user the right");
      assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
    }
  }

  @Test
  void subjectThatSomebodyElseTakesIsNotTheStreams() throws Exception {
    Connection listening = nats.connect();
    listening.subscribe("silent");
    listening
        .createDispatcher(m -> listening.publish(m.getReplyTo(), new byte[0]))
        .subscribe("deaf");
    listening.flush(DELIVERY_TIME_MAX);
    try (Sender sender = new Sender(publisher(), SHORT)) {
      sender.connect(message("orders.a", "a"));
      long silent = sender.send(message("silent", "b"));
      List<Outcome> outcomes =
          sender.sendAll(List.of(message("deaf", "c"), message("orders.a", "d")));
      sender.awaitOutcomes();
      assertRejected(outcomes.get(0), Kind.TOPIC, "is not a stream");
      assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
      assertUnavailable(
          sender.outcomes().get((int) silent - 1), false, "does a stream include the subject?");
    } finally {
      NatsConnecting.close(listening);
    }
  }

  @Test
  void subjectThatSomebodySilentTakesIsNotAnsweredAndTheNextMessageIs() throws Exception {
    Connection listening = nats.connect();
    try (Sender sender = new Sender(publisher(), SHORT)) {
      listening.subscribe("unheard");
      listening.flush(DELIVERY_TIME_MAX);
      sender.connect(message("orders.a", "a"));
      Outcome outcome = sender.sendAll(List.of(message("unheard", "a"))).get(0);
      assertUnavailable(outcome, false, "does a stream include the subject?");
      assertThat(sender.sendAll(List.of(message("orders.a", "b"))).get(0))
          .isEqualTo(Outcome.PUBLISHED);
    } finally {
      NatsConnecting.close(listening);
    }
  }

  @Test
  void messageThatTwoRoutesLeadToTwoSubjectsOfAStreamIsInBoth() throws Exception {
    Message message = message("orders.twice", "a");
    NatsPublisher audit = publisher().subjects(topic -> "orders.audit." + topic);
    assertThat(outcome(publisher(), message)).isEqualTo(Outcome.PUBLISHED);
    assertThat(outcome(audit, message)).isEqualTo(Outcome.PUBLISHED);
    assertThat(outcome(audit, message)).isEqualTo(Outcome.PUBLISHED);
    assertThat(nats.messages("orders").stream().map(m -> m.getSubject()))
        .filteredOn(subject -> subject.endsWith("orders.twice"))
        .containsExactly("orders.twice", "orders.audit.orders.twice");
  }

  @Test
  void messagesOfOneIdThatTwoTopicsLeadToOneSubjectAreBothStored() throws Exception {
    Message placed = message("placed", "a");
    Message paid = Message.to("paid", "t").id(placed.id()).build();
    NatsPublisher all = publisher().subjects(topic -> "orders.all");
    assertThat(outcome(all, placed)).isEqualTo(Outcome.PUBLISHED);
    assertThat(outcome(all, paid)).isEqualTo(Outcome.PUBLISHED);
    assertThat(outcome(all, paid)).isEqualTo(Outcome.PUBLISHED);
    assertThat(nats.messages("orders").stream().map(m -> m.getSubject()))
        .filteredOn("orders.all"::equals)
        .hasSize(2);
  }

  @Test
  void messagesOfOneIdAndTwoTopicsAreBothStored() throws Exception {
    Message opened = message("orders.opened", "a");
    Message closed = Message.to("orders.closed", "t").id(opened.id()).build();
    assertThat(outcome(publisher(), opened)).isEqualTo(Outcome.PUBLISHED);
    assertThat(outcome(publisher(), closed)).isEqualTo(Outcome.PUBLISHED);
    assertThat(nats.messages("orders").stream().map(m -> m.getSubject()))
        .contains("orders.opened", "orders.closed");
  }

  @Test
  void fullStreamIsHeldBackAndAMessageTooLargeForItIsRejected() throws Exception {
    nats.createStream(
        StreamConfiguration.builder()
            .name("small")
            .subjects("small")
            .maxMessages(1)
            .maximumMessageSize(1_000)
            .discardPolicy(io.nats.client.api.DiscardPolicy.New));
    Message large = Message.to("small", "t").payload(new byte[2_000]).build();
    assertRejected(outcome(publisher(), large), Kind.DEFINITE, "max_msg_size");
    assertThat(outcome(publisher(), message("small", "a"))).isEqualTo(Outcome.PUBLISHED);
    assertRejected(outcome(publisher(), message("small", "b")), Kind.TOPIC, "maximum messages");
  }

  @Test
  void messageThatTheServerWouldCutTheConnectionForIsNotSent() {
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      Message fits = Message.to("orders.a", "t").payload(new byte[99_000]).build();
      // Its headers make it too large.
      Message large = Message.to("orders.a", "t").payload(new byte[99_990]).build();
      List<Outcome> outcomes = sender.sendAll(List.of(fits, large, message("orders.a", "k")));
      assertRejected(outcomes.get(1), Kind.DEFINITE, "100000", "max_payload");
      assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsOnly(Outcome.PUBLISHED);
    }
  }

  @Test
  void headersThatNoStreamTakesAreTheirMessagesFault() {
    // Three bytes each, which are nine characters when they are encoded.
    Message fits = message("orders.a", "a").copy().header("note", "€".repeat(7_200)).build();
    Message large = message("orders.a", "b").copy().header("note", "€".repeat(7_300)).build();
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      List<Outcome> outcomes = sender.sendAll(List.of(fits, large, message("orders.a", "c")));
      assertRejected(outcomes.get(1), Kind.FINAL, "65535", "send less in headers");
      assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsOnly(Outcome.PUBLISHED);
    }
  }

  @Test
  void sealedStreamIsHeldBackAndTheOthersContinue() throws Exception {
    nats.createStream("sealed", "sealed");
    assertThat(outcome(publisher(), message("sealed", "k"))).isEqualTo(Outcome.PUBLISHED);
    nats.ask(
        connection -> {
          JetStreamManagement management = connection.jetStreamManagement();
          StreamConfiguration now = management.getStreamInfo("sealed").getConfiguration();
          return management.updateStream(StreamConfiguration.builder(now).seal().build());
        });
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      List<Outcome> outcomes =
          sender.sendAll(List.of(message("sealed", "k"), message("orders.a", "l")));
      assertRejected(outcomes.get(0), Kind.TOPIC, "sealed");
      assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
    }
  }

  @Test
  void namesThatNatsCannotCarryAreRefused() {
    for (String topic : List.of("a b", "a..b", ".a", "a.", "a.*", ">", "größe", "$SYS.a")) {
      assertRejected(
          outcome(publisher(), message(topic, "k")), Kind.FINAL, "is not a NATS subject");
    }
    for (String header : List.of("nats-rollup", "Nats-Msg-Id", "Nats-Expected-Last-Sequence")) {
      Message instructing = Message.to("orders.a", "t").header(header, "all").build();
      assertRejected(outcome(publisher(), instructing), Kind.FINAL, header, "use another name");
    }
    Message mapped = message("a b", "k");
    assertThat(outcome(publisher().subjects(topic -> "orders.a_b"), mapped))
        .isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void silentServerLeavesTheFateUnknown() {
    try (Sender sender = new Sender(publisher(), SHORT)) {
      sender.connect(message("orders.a", "a"));
      nats.line.swallowReplies();
      assertUnavailable(
          sender.sendAll(List.of(message("orders.a", "a"))).get(0), false, "no acknowledgement");
    }
  }

  @Test
  void serverThatNeverAnswersAConnectionIsUnreachable() {
    nats.line.swallowRequests();
    try (Sender sender = new Sender(publisher(), SHORT)) {
      assertUnavailable(
          sender.sendAll(List.of(message("orders.a", "a"))).get(0), true, "not connected");
    }
  }

  @Test
  void lostAnswerMakesNoDuplicateWithinTheWindow() throws Exception {
    Message message = message("orders.once", "a");
    try (Sender sender = new Sender(publisher(), SHORT)) {
      sender.connect(message("orders.a", "a"));
      nats.line.swallowReplies();
      sender.sendAll(List.of(message));
    }
    nats.line.pass();
    assertThat(outcome(publisher(), message)).isEqualTo(Outcome.PUBLISHED);
    assertThat(nats.messages("orders"))
        .filteredOn(m -> m.getSubject().equals("orders.once"))
        .hasSize(1);
  }

  @Test
  void clientConnectsAgainAfterItsConnectionWasCut() {
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      sender.sendAll(List.of(message("orders.a", "a")));
      nats.line.cut();
      Await.until(
          "the connection is gone", DELIVERY_TIME_MAX, () -> nats.line.connectionCount() == 0);
      Await.until(
          "the client publishes again",
          DELIVERY_TIME_MAX,
          () -> sender.sendAll(List.of(message("orders.a", "b"))).contains(Outcome.PUBLISHED));
    }
  }

  @Test
  void whatAKilledServerAcknowledgedIsThere() throws Exception {
    List<Message> messages =
        IntStream.range(0, 2_000).mapToObj(i -> message("orders.killed", "k" + i)).toList();
    List<Outcome> outcomes;
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      messages.subList(0, 1_000).forEach(sender::send);
      Await.until("some are acknowledged", DELIVERY_TIME_MAX, () -> sender.outcomeCount() > 200);
      nats.server.kill();
      messages.subList(1_000, 2_000).forEach(sender::send);
      sender.awaitOutcomes();
      outcomes = sender.outcomes();
    }
    nats.server.restart();
    List<String> arrived =
        nats.messages("orders").stream()
            .map(m -> new NatsReader().read(m, null))
            .map(Received::id)
            .toList();
    assertThat(outcomes).hasOnlyElementsOfTypes(Outcome.Published.class, Outcome.Unavailable.class);
    for (int i = 0; i < messages.size(); i++) {
      if (outcomes.get(i).equals(Outcome.PUBLISHED)) {
        assertThat(arrived).contains(messages.get(i).id().toString());
      }
    }
    assertThat(outcome(publisher(), message("orders.killed", "k"))).isEqualTo(Outcome.PUBLISHED);
  }
}
