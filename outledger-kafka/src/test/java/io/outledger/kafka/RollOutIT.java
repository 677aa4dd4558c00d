// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.event.EventHandlers;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A group with an old and a new version of an application: a message of a type that only the new
 * one handles takes effect, whichever member gets it.
 */
final class RollOutIT {

  private static final KafkaBroker KAFKA = KafkaBroker.shared();
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int MESSAGES = 60;
  private static final int PARTITIONS = 4;

  /** An event that both versions handle. */
  record Paid(String id) {}

  /** One that the new version handles. */
  record Refunded(String id) {}

  private static final PayloadSerializer IDS =
      new PayloadSerializer() {
        @Override
        public String contentType() {
          return "text/plain";
        }

        @Override
        public byte[] write(Object event) {
          throw new UnsupportedOperationException("nothing is appended");
        }

        @Override
        public void check(Class<?> type) {}

        @Override
        public <E> E readExactly(byte[] payload, Class<E> type) {
          return read(payload, type);
        }

        @Override
        public <E> E read(byte[] payload, Class<E> type, Consumer<String> unknown) {
          String id = new String(payload, UTF_8);
          return type.cast(type == Paid.class ? new Paid(id) : new Refunded(id));
        }
      };

  private final String topic = "roll-out-" + UUID.randomUUID();
  private final JdbcDataSource database = new JdbcDataSource();
  private Outledger outledger;

  @BeforeEach
  void open() {
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    Schema.of(database).apply(database);
    execute("CREATE TABLE effect (member VARCHAR, id VARCHAR)");
    KAFKA.createTopic(topic, PARTITIONS, Map.of());
    outledger =
        Outledger.builder(database)
            .serializer(IDS)
            .withoutRetention()
            .events(
                events -> {
                  events.register(Paid.class, t -> t.name("paid").topic(topic).key(Paid::id));
                  events.register(
                      Refunded.class, t -> t.name("refunded").topic(topic).key(Refunded::id));
                })
            .build();
  }

  @AfterEach
  void close() {
    outledger.close();
    execute("SHUTDOWN");
  }

  private void execute(String sql) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private long count(String what) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT count(*) FROM " + what)) {
      found.next();
      return found.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void take(String member, String id, EventContext context) {
    try (PreparedStatement insert =
        context.connection().prepareStatement("INSERT INTO effect VALUES (?, ?)")) {
      insert.setString(1, member);
      insert.setString(2, id);
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private RunningReceiver old() {
    return member(on -> on.on(Paid.class, (paid, c) -> take("old", "paid " + paid.id(), c)));
  }

  private RunningReceiver young() {
    return member(
        on ->
            on.on(Paid.class, (paid, c) -> take("young", "paid " + paid.id(), c))
                .on(Refunded.class, (back, c) -> take("young", "refunded " + back.id(), c)));
  }

  private RunningReceiver member(Consumer<EventHandlers.Builder<EventContext>> on) {
    return KafkaReceiver.with(
            Map.of(
                "bootstrap.servers",
                KAFKA.bootstrapServers(),
                "group.id",
                topic,
                "max.poll.records",
                "5"))
        .topics(topic)
        .start(outledger.inbox("stock").handler(on));
  }

  private void publish(int first, int last) {
    ReportedOutcomes outcomes = new ReportedOutcomes();
    try (PublisherClient client =
        KafkaPublisher.with(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))
            .open(Duration.ofSeconds(10), outcomes)) {
      for (int i = first; i <= last; i++) {
        String type = i % 2 == 0 ? "refunded" : "paid";
        String id = Integer.toString(i);
        client.publish(
            i,
            1,
            Message.to(topic, type).key("k" + (i + 1) / 2).payload(id.getBytes(UTF_8)).build());
      }
      assertThat(outcomes.awaitAll(first, last)).containsOnly(Outcome.PUBLISHED);
    }
  }

  private void awaitMembers(int count) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))) {
      Await.until(
          count + " members share the partitions",
          PATIENCE,
          () ->
              members(admin).stream().filter(each -> partitions(each) > 0).count() == count
                  && members(admin).stream().mapToInt(RollOutIT::partitions).sum() == PARTITIONS);
    }
  }

  private List<MemberDescription> members(Admin admin) {
    try {
      return admin.describeConsumerGroups(List.of(topic)).all().get().values().stream()
          .flatMap(group -> group.members().stream())
          .toList();
    } catch (Exception e) {
      return List.of(); // there is no group yet
    }
  }

  private static int partitions(MemberDescription member) {
    return member.assignment().topicPartitions().size();
  }

  /** Each message has taken effect once, and nothing waits. */
  private void awaitEffects(int messages) {
    Await.until(
        () -> count("effect") + " effects of " + messages,
        PATIENCE,
        () -> count("effect") >= messages && count("outledger_inbox_parked") == 0);
    assertThat(count("effect")).isEqualTo(messages);
    assertThat(count("(SELECT DISTINCT id FROM effect)")).isEqualTo(messages);
  }

  @Test
  void newMemberBesideAnOldOneMissesNothingOfItsOwnType() {
    try (RunningReceiver old = old()) {
      awaitMembers(1);
      try (RunningReceiver young = young()) {
        awaitMembers(2);
        publish(1, 2 * MESSAGES);
        awaitEffects(2 * MESSAGES);
        assertThat(List.of(old, young)).allMatch(RunningReceiver::isRunning);
      }
    }
    assertThat(count("effect WHERE member = 'old'")).isPositive();
    assertThat(count("effect WHERE id LIKE 'refunded%'")).isEqualTo(MESSAGES);
  }

  @Test
  void newMemberThatHasGotNothingYetMissesNothingThatTheOldOneGets() {
    try (RunningReceiver old = old()) {
      awaitMembers(1);
      RunningReceiver declared = young();
      declared.close();
      publish(1, 2 * MESSAGES);
      Await.until(
          "the old member has taken its part, and parked the rest",
          PATIENCE,
          () -> count("effect") + count("outledger_inbox_parked") == 2 * MESSAGES);
      assertThat(count("effect WHERE member = 'young'")).isZero();
      try (RunningReceiver young = young()) {
        awaitEffects(2 * MESSAGES);
        assertThat(List.of(old, young)).allMatch(RunningReceiver::isRunning);
      }
    }
  }

  @Test
  void oldMemberThatJoinsANewOneTakesNothingOfATypeThatItDoesNotHandle() {
    try (RunningReceiver young = young()) {
      awaitMembers(1);
      publish(1, 2);
      awaitEffects(2);
      try (RunningReceiver old = old()) {
        awaitMembers(2);
        publish(3, 2 * MESSAGES);
        awaitEffects(2 * MESSAGES);
        assertThat(List.of(old, young)).allMatch(RunningReceiver::isRunning);
      }
    }
    assertThat(count("effect WHERE member = 'old'")).isPositive();
    assertThat(count("effect WHERE id LIKE 'refunded%'")).isEqualTo(MESSAGES);
  }
}
