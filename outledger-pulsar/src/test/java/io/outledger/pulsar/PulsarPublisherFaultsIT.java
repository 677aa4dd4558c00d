// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected.Kind;
import io.outledger.servers.Await;
import io.outledger.servers.Ports;
import io.outledger.servers.PulsarServer;
import java.time.Duration;
import java.util.List;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What each failure of Pulsar means for a message. */
@Tag("long")
final class PulsarPublisherFaultsIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofMillis(1_600);
  private static final int LIMIT_BYTES = 5 * 1024 * 1024;

  private final PulsarServer server = SharedPulsar.server();
  private final String topic = SharedPulsar.newTopic();

  @BeforeAll
  static void createNamespaces() {
    SharedPulsar.createNamespace("strict");
    SharedPulsar.server()
        .admin(
            "POST",
            "namespaces/public/strict/autoTopicCreation",
            "{\"allowAutoTopicCreation\":false}");
  }

  @AfterEach
  void mend() {
    server.line().pass();
  }

  private static PulsarPublisher publisher() {
    return PulsarPublisher.to(SharedPulsar.cluster());
  }

  private static Message message(String topic, String key) {
    return Message.to(topic, "order.placed").key(key).build();
  }

  private static Outcome outcome(PulsarPublisher publisher, Message message) {
    try (Sender sender = new Sender(publisher, DELIVERY_TIME_MAX)) {
      return sender.sendAll(List.of(message)).get(0);
    }
  }

  private static void assertRejected(Outcome outcome, Kind kind, String... parts) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            rejected -> {
              assertThat(List.of(parts)).allMatch(rejected.reason()::contains);
              assertThat(rejected.kind()).isEqualTo(kind);
            });
  }

  private static void assertUnavailable(Outcome outcome, boolean isFateKnown, String... parts) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class,
            unavailable -> {
              assertThat(List.of(parts)).allMatch(unavailable.reason()::contains);
              assertThat(unavailable.isFateKnown()).isEqualTo(isFateKnown);
            });
  }

  private void assertHeldBackAndTheOthersContinue(
      PulsarPublisher publisher, String bad, String... parts) {
    try (Sender sender = new Sender(publisher, DELIVERY_TIME_MAX)) {
      List<Outcome> outcomes =
          sender.sendAll(List.of(message(bad, "k"), message(bad, "k"), message(topic, "l")));
      assertRejected(outcomes.get(0), Kind.TOPIC, parts);
      assertRejected(outcomes.get(1), Kind.TOPIC, parts);
      assertThat(outcomes.get(2)).isEqualTo(Outcome.PUBLISHED);
    }
  }

  @Test
  void addressWithoutAServerIsUnreachable() {
    String url = "pulsar://127.0.0.1:" + Ports.free();
    try (Sender sender = new Sender(PulsarPublisher.to(PulsarCluster.at(url)), SHORT)) {
      assertUnavailable(sender.sendAll(List.of(message(topic, "k"))).get(0), true, "Connect");
    }
  }

  @Test
  void tokenThatNobodySignedIsSaid() {
    PulsarCluster cluster = SharedPulsar.cluster(PulsarServer.forgedToken(PulsarServer.ADMIN));
    assertUnavailable(
        outcome(PulsarPublisher.to(cluster), message(topic, "k")), true, "Authentication");
  }

  @Test
  void topicThatMayNotBeWrittenIsHeldBackAndTheOthersContinue() {
    server.admin("PUT", "persistent/public/default/" + topic, "");
    server.admin(
        "POST", "persistent/public/default/" + topic + "/permissions/shop", "[\"produce\"]");
    PulsarCluster cluster = SharedPulsar.cluster(PulsarServer.token("shop"));
    assertHeldBackAndTheOthersContinue(
        PulsarPublisher.to(cluster), SharedPulsar.newTopic(), "Authorization");
  }

  @Test
  void missingTopicIsHeldBackAndTheOthersContinue() {
    assertHeldBackAndTheOthersContinue(
        publisher(), "public/strict/missing", "no producer for topic 'public/strict/missing'");
  }

  @Test
  void missingNamespaceIsHeldBackAndTheOthersContinue() {
    assertHeldBackAndTheOthersContinue(
        publisher(), "public/missing/orders", "no producer for topic 'public/missing/orders'");
  }

  @Test
  void topicThatIsCreatedLaterIsPublishedToByTheSameClient() {
    String late = "public/strict/late";
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      assertRejected(sender.sendAll(List.of(message(late, "k"))).get(0), Kind.TOPIC);
      server.admin("PUT", "persistent/public/strict/late", "");
      Await.until(
          "it is published",
          DELIVERY_TIME_MAX,
          () -> sender.sendAll(List.of(message(late, "k"))).contains(Outcome.PUBLISHED));
    }
  }

  @Test
  void topicThatWasTerminatedIsHeldBackAndTheOthersContinue() {
    String ended = SharedPulsar.newTopic();
    assertThat(outcome(publisher(), message(ended, "k"))).isEqualTo(Outcome.PUBLISHED);
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      sender.sendAll(List.of(message(ended, "k")));
      server.admin("POST", "persistent/public/default/" + ended + "/terminate", "");
      assertRejected(
          sender.sendAll(List.of(message(ended, "k"))).get(0), Kind.TOPIC, "TopicTerminated");
    }
    assertHeldBackAndTheOthersContinue(publisher(), ended, "TopicTerminated");
  }

  @Test
  void topicThatEnforcesASchemaIsHeldBackAndTheOthersContinue() throws Exception {
    SharedPulsar.createNamespace("typed");
    server.admin("POST", "namespaces/public/typed/schemaValidationEnforced", "true");
    String typed = "public/typed/" + SharedPulsar.newTopic();
    try (PulsarClient client = SharedPulsar.cluster().open(DELIVERY_TIME_MAX);
        Producer<String> first = client.newProducer(Schema.STRING).topic(typed).create()) {
      first.send("typed");
      assertHeldBackAndTheOthersContinue(publisher(), typed, "Schema");
    }
    assertRejected(outcome(publisher(), message(typed, "k")), Kind.TOPIC, "Schema"); // alone, too
  }

  @Test
  void topicWhoseBacklogIsFullIsHeldBackAndTheOthersContinue() {
    SharedPulsar.createNamespace("full");
    server.admin(
        "POST",
        "namespaces/public/full/backlogQuota?backlogQuotaType=destination_storage",
        "{\"limitSize\":1000,\"policy\":\"producer_exception\"}");
    String full = "public/full/orders";
    server.admin("PUT", "persistent/" + full, "");
    server.admin("PUT", "persistent/" + full + "/subscription/slow", "");
    Message large = Message.to(full, "t").key("k").payload(new byte[5_000]).build();
    assertThat(outcome(publisher(), large)).isEqualTo(Outcome.PUBLISHED);
    assertHeldBackAndTheOthersContinue(publisher(), full, "Quota");
    assertRejected(outcome(publisher(), large), Kind.TOPIC, "Quota"); // also where it is alone
    server.admin("POST", "persistent/" + full + "/subscription/slow/skip_all", "");
    Await.until(
        "there is room again",
        DELIVERY_TIME_MAX,
        () -> outcome(publisher(), large).equals(Outcome.PUBLISHED));
  }

  @Test
  void messageOverTheBrokersLimitIsNotSent() {
    Message fits = Message.to(topic, "t").payload(new byte[LIMIT_BYTES - 20_000]).build();
    // Its headers make it too large.
    Message large =
        Message.to(topic, "t")
            .payload(new byte[LIMIT_BYTES - 2_000])
            .header("note", "x".repeat(4_000))
            .build();
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      List<Outcome> outcomes = sender.sendAll(List.of(fits, large, message(topic, "k")));
      assertRejected(outcomes.get(1), Kind.DEFINITE, "maxMessageSize");
      assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsOnly(Outcome.PUBLISHED);
    }
  }

  @Test
  void namesThatAreNoStoredTopicsAreRefused() {
    for (String name : List.of("non-persistent://public/default/a", "a/b", "persistent://a", "")) {
      PulsarPublisher naming = publisher().topics(given -> name);
      assertRejected(
          outcome(naming, message(topic, "k")), Kind.FINAL, "map the topic with PulsarPublisher");
    }
    PulsarPublisher throwing =
        publisher()
            .topics(
                given -> {
                  throw new IllegalStateException("no name for " + given);
                });
    assertRejected(outcome(throwing, message(topic, "k")), Kind.FINAL, "no name for " + topic);
  }

  @Test
  void lostAcknowledgementsLeaveTheFateUnknown() {
    try (Sender sender = new Sender(publisher(), SHORT)) {
      sender.connect(message(topic, "a"));
      server.line().swallowReplies();
      for (Outcome outcome : sender.sendAll(List.of(message(topic, "a"), message(topic, "b")))) {
        assertUnavailable(outcome, false, "no answer from Pulsar");
      }
      // Even if all is well again: what comes now must not overtake what is sent again.
      server.line().pass();
      assertUnavailable(sender.sendAll(List.of(message(topic, "a"))).get(0), false);
    }
  }

  @Test
  void serverThatNeverAnswersAConnectionIsUnreachable() {
    server.line().swallowRequests();
    try (Sender sender = new Sender(publisher(), SHORT)) {
      assertUnavailable(sender.sendAll(List.of(message(topic, "a"))).get(0), false, "no producer");
    }
  }

  @Test
  void serverThatIsFrozenLeavesTheFateUnknown() {
    try (Sender sender = new Sender(publisher(), SHORT)) {
      sender.connect(message(topic, "a"));
      server.suspend();
      try {
        assertUnavailable(sender.sendAll(List.of(message(topic, "a"))).get(0), false, "no answer");
      } finally {
        server.resume();
      }
    }
  }
}
