// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected.Kind;
import io.outledger.servers.Await;
import io.outledger.servers.Ports;
import io.outledger.servers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What each failure of Redis means for a message. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RedisPublisherFaultsIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(8);
  private static final Duration SHORT = Duration.ofMillis(1_200);

  private final ProxiedRedis redis = ProxiedRedis.start();

  @AfterEach
  void mend() {
    redis.line.pass();
    redis.observer().configSet("maxmemory", "0");
  }

  @AfterAll
  void close() {
    redis.close();
  }

  private RedisPublisher publisher() {
    return RedisPublisher.to(redis.uri());
  }

  private static Message message(String topic, String key) {
    return Message.to(topic, "order.placed").key(key).build();
  }

  private static Outcome outcome(RedisPublisher publisher, Message message) {
    try (Sender sender = new Sender(publisher, DELIVERY_TIME_MAX)) {
      return sender.sendAll(List.of(message)).get(0);
    }
  }

  private static void assertRejected(Outcome outcome, Kind kind, String part) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            rejected -> {
              assertThat(rejected.kind()).isEqualTo(kind);
              assertThat(rejected.reason()).contains(part);
            });
  }

  private static void assertUnavailable(Outcome outcome, boolean isFateKnown, String part) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class,
            unavailable -> {
              assertThat(unavailable.isFateKnown()).isEqualTo(isFateKnown);
              assertThat(unavailable.reason()).contains(part);
            });
  }

  @Test
  void addressWithoutAServerIsUnreachable() {
    int port = Ports.free();
    RedisURI uri = RedisURI.builder().withHost("127.0.0.1").withPort(port).build();
    assertUnavailable(
        outcome(RedisPublisher.to(uri), message("orders", "k")),
        true,
        "cannot connect to Redis at 127.0.0.1:" + port);
  }

  private static boolean says(List<Outcome> outcomes, String part) {
    return outcomes.stream().anyMatch(each -> each.toString().contains(part));
  }

  @Test
  void wrongPasswordAndMissingRightAreSaid() {
    try (RedisServer secured =
        RedisServer.start(
            "--user", "shop", "on", ">s3cret", "~orders*", "+xadd", "+ping", "+hello", "+client")) {
      RedisURI.Builder uri = RedisURI.builder().withHost("127.0.0.1").withPort(secured.port());
      RedisPublisher wrong =
          RedisPublisher.to(uri.withAuthentication("shop", "wrong".toCharArray()).build());
      // The client may see its connection closed before it sees why.
      List<Outcome> refused = new ArrayList<>();
      Await.until(
          () -> "the reason is said: " + refused,
          Duration.ofSeconds(30),
          () -> refused.add(outcome(wrong, message("orders", "k"))) && says(refused, "WRONGPASS"));
      assertThat(refused).allSatisfy(each -> assertUnavailable(each, true, "cannot connect"));
      assertThat(refused.toString() + wrong).doesNotContain("wrong,").doesNotContain(":wrong@");
      RedisPublisher right =
          RedisPublisher.to(uri.withAuthentication("shop", "s3cret".toCharArray()).build());
      try (Sender sender = new Sender(right, DELIVERY_TIME_MAX)) {
        List<Outcome> outcomes =
            sender.sendAll(List.of(message("secret", "k"), message("orders", "l")));
        assertRejected(outcomes.get(0), Kind.TOPIC, "NOPERM");
        assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
      }
    }
  }

  @Test
  void keyOfAnotherKindIsHeldBackAndTheOthersContinue() {
    redis.observer().set("text", new byte[] {'x'});
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      List<Outcome> outcomes =
          sender.sendAll(List.of(message("text", "k"), message("orders", "l")));
      assertRejected(outcomes.get(0), Kind.TOPIC, "the key is not a stream");
      assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
    }
  }

  @Test
  void fullMemoryIsAnOutageAndNotTheMessagesFault() {
    redis.observer().configSet("maxmemory", "1");
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      assertUnavailable(sender.sendAll(List.of(message("orders", "k"))).get(0), true, "OOM");
      redis.observer().configSet("maxmemory", "0");
      assertThat(sender.sendAll(List.of(message("orders", "k")))).containsOnly(Outcome.PUBLISHED);
    }
  }

  @Test
  void serverThatCannotWriteToItsDiskOrHasTooFewReplicasIsAnOutage(@TempDir Path folder)
      throws Exception {
    try (ProxiedRedis full =
            ProxiedRedis.start("--enable-protected-configs", "yes", "--appendonly", "no");
        Sender sender = new Sender(RedisPublisher.to(full.uri()), DELIVERY_TIME_MAX)) {
      assertThat(sender.sendAll(List.of(message("orders", "k")))).containsOnly(Outcome.PUBLISHED);
      Path gone = Files.createDirectory(folder.resolve("gone"));
      full.observer().configSet("dir", gone.toString());
      Files.delete(gone);
      full.observer().configSet("save", "3600 1");
      full.observer().bgsave();
      Await.until(
          "it could not save",
          DELIVERY_TIME_MAX,
          () -> full.observer().info("persistence").contains("rdb_last_bgsave_status:err"));
      assertUnavailable(sender.sendAll(List.of(message("orders", "k"))).get(0), true, "MISCONF");
      full.observer().configSet("save", "");
      assertThat(sender.sendAll(List.of(message("orders", "k")))).containsOnly(Outcome.PUBLISHED);
      full.observer().configSet("min-replicas-to-write", "1");
      assertUnavailable(sender.sendAll(List.of(message("orders", "k"))).get(0), true, "NOREPLICAS");
      full.observer().configSet("min-replicas-to-write", "0");
      assertThat(sender.sendAll(List.of(message("orders", "k")))).containsOnly(Outcome.PUBLISHED);
      assertThat(full.messages("orders")).hasSize(3);
    }
  }

  /** The server ends no connection when it becomes a replica. */
  @Test
  void replicaIsLeftForTheServerThatTookOver() {
    try (ProxiedRedis former = ProxiedRedis.start();
        RedisServer successor = RedisServer.start();
        Sender sender = new Sender(RedisPublisher.to(former.uri()), DELIVERY_TIME_MAX)) {
      assertThat(sender.sendAll(List.of(message("orders", "k")))).containsOnly(Outcome.PUBLISHED);
      former.observer().replicaof("127.0.0.1", successor.port());
      former.line.leadNewTo(successor.port());
      assertThat(sender.sendAll(List.of(message("orders", "l"))).toString()).contains("READONLY");
      Await.until(
          "the server that took over takes it",
          DELIVERY_TIME_MAX,
          () -> sender.sendAll(List.of(message("orders", "l"))).contains(Outcome.PUBLISHED));
    }
  }

  @Test
  void messageWaitsForItsReplicas() {
    RedisPublisher waiting = publisher().replicas(1);
    try (RedisServer replica =
        RedisServer.start("--replicaof", "127.0.0.1 " + redis.server.port())) {
      awaitReplica(replica);
      try (Sender sender = new Sender(waiting, DELIVERY_TIME_MAX)) {
        assertThat(sender.sendAll(List.of(message("replicated", "k"))))
            .containsOnly(Outcome.PUBLISHED);
        replica.suspend();
        Outcome outcome = sender.sendAll(List.of(message("replicated", "k"))).get(0);
        assertUnavailable(outcome, false, "only 0 of 1 replicas");
      } finally {
        replica.resume();
      }
    }
  }

  private void awaitReplica(RedisServer replica) {
    Await.until(
        () -> "the replica follows: " + replica.log(),
        DELIVERY_TIME_MAX,
        () -> redis.observer().info("replication").contains("state=online"));
  }

  @Test
  void messageIsNotAppendedAgainAndAgainWhileReplicasAreMissing() {
    RedisPublisher waiting = publisher().replicas(1);
    Message message = message("missed", "k");
    for (int probe = 0; probe < 3; probe++) {
      assertUnavailable(outcome(waiting, message), true, "only 0 of 1 replicas");
    }
    assertThat(redis.messages("missed")).isEmpty();
    try (RedisServer replica =
        RedisServer.start("--replicaof", "127.0.0.1 " + redis.server.port())) {
      awaitReplica(replica);
      assertThat(outcome(waiting, message)).isEqualTo(Outcome.PUBLISHED);
    }
    assertThat(redis.messages("missed")).hasSize(1);
  }

  @Test
  void headerThatIsThePayloadsFieldIsRefused() {
    Message message = Message.to("orders", "t").header("payload", "x").build();
    assertRejected(outcome(publisher(), message), Kind.FINAL, "use another name");
    RedisPublisher mapping = publisher().streams(topic -> "mapped-" + topic);
    assertThat(outcome(mapping, message("orders", "k"))).isEqualTo(Outcome.PUBLISHED);
    assertThat(redis.messages("mapped-orders")).hasSize(1);
  }

  @Test
  void silentServerLeavesTheFateUnknown() {
    try (Sender sender = new Sender(publisher(), SHORT)) {
      sender.connect(message("orders", "a"));
      redis.line.swallowReplies();
      assertUnavailable(
          sender.sendAll(List.of(message("orders", "a"))).get(0), false, "did not answer");
    }
  }

  @Test
  void serverThatNeverAnswersAConnectionIsUnreachable() {
    redis.line.swallowRequests();
    try (Sender sender = new Sender(publisher(), SHORT)) {
      assertUnavailable(
          sender.sendAll(List.of(message("orders", "a"))).get(0), true, "not connected");
    }
  }

  @Test
  void clientConnectsAgainAfterItsConnectionWasCut() {
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      sender.sendAll(List.of(message("orders", "a")));
      redis.line.cut();
      Await.until(
          "the client publishes again",
          DELIVERY_TIME_MAX,
          () -> sender.sendAll(List.of(message("orders", "b"))).contains(Outcome.PUBLISHED));
    }
  }

  @Test
  void whatAKilledServerAcknowledgedIsThere() {
    List<Message> messages =
        IntStream.range(0, 2_000).mapToObj(i -> message("killed", "k" + i)).toList();
    List<Outcome> outcomes;
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      messages.subList(0, 1_000).forEach(sender::send);
      Await.until("some are acknowledged", DELIVERY_TIME_MAX, () -> sender.outcomeCount() > 100);
      redis.server.kill();
      messages.subList(1_000, 2_000).forEach(sender::send);
      sender.awaitOutcomes();
      outcomes = sender.outcomes();
    }
    redis.server.restart();
    List<String> arrived = redis.messages("killed").stream().map(Received::id).toList();
    assertThat(outcomes).hasOnlyElementsOfTypes(Outcome.Published.class, Outcome.Unavailable.class);
    for (int i = 0; i < messages.size(); i++) {
      if (outcomes.get(i).equals(Outcome.PUBLISHED)) {
        assertThat(arrived).contains(messages.get(i).id().toString());
      }
    }
    assertThat(outcome(publisher(), message("killed", "k"))).isEqualTo(Outcome.PUBLISHED);
  }
}
