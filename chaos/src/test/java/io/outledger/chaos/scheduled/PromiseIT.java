// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.chaos.run.Liveness.Wait;
import io.outledger.chaos.scheduled.Plans.Plan;
import io.outledger.jdbc.Outledger;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Each promise sees what breaks it, and nothing else. */
class PromiseIT {

  private static final Delivery PAST = Delivery.at(Instant.parse("2026-01-01T00:00:00Z"));
  private static final Delivery NOW = Delivery.after(Duration.ZERO);
  private static final Delivery LATER = Delivery.after(Duration.ofDays(1));

  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
  private Outledger outledger;
  private Connection connection;
  private Plans plans;

  @BeforeEach
  void open() throws SQLException {
    Postgres server = Postgres.shared();
    dataSource.setURL(server.jdbcUrl(server.createDatabase()));
    PostgreSql.schema().apply(dataSource);
    outledger = ScheduledProcess.outledger(dataSource);
    connection = dataSource.getConnection();
    plans = new Plans(connection);
    plans.create();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    outledger.close();
  }

  @Test
  void messagesThatAreAsTheyMustBeAreNotBlamed() throws SQLException {
    deliver(plan("a", PAST, null), plan("a", PAST, null), plan("b", NOW, null));
    plans.cancelled(plan("a", LATER, null), false);
    UUID replaced = replace(schedule("c"), "c");
    enter(replace(replaced, "c"));
    UUID soEarly = schedule("d");
    enter(soEarly);
    enter(replace(soEarly, "d"));
    UUID cancelled = schedule("e");
    takeAway(cancelled);
    plans.cancelled(cancelled, false);
    enter(replace(cancelled, "e"));
    assertBroken();
  }

  @Test
  void lostMessageIsSeen() throws SQLException {
    plan("a", PAST, null);
    assertBroken(Promise.DELIVERED);
  }

  @Test
  void messageThatIsDeliveredTwiceIsSeen() throws SQLException {
    UUID id = plan("a", PAST, null);
    append(id);
    append(id);
    plans.handled(id);
    plans.handled(id);
    assertBroken(Promise.NEVER_TWICE, Promise.ONE_EFFECT);
  }

  @Test
  void effectThatIsMissingIsSeen() throws SQLException {
    append(plan("a", PAST, null));
    assertBroken(Promise.ONE_EFFECT);
  }

  @Test
  void cancelledMessageThatIsDeliveredIsSeen() throws SQLException {
    UUID id = plan("a", PAST, null);
    plans.cancelled(id, true);
    deliver(id);
    assertBroken(Promise.CANCELLED_FOR_GOOD);
  }

  @Test
  void messageThatIsCancelledTwiceIsSeen() throws SQLException {
    UUID id = plan("a", LATER, null);
    plans.cancelled(id, true);
    plans.cancelled(id, false);
    assertBroken(Promise.CANCELLED_ONCE);
  }

  @Test
  void replacedMessageThatIsDeliveredBeforeWhatTookItsPlaceIsSeen() throws SQLException {
    UUID first = schedule("a");
    UUID second = replace(first, "a");
    enter(first);
    enter(second);
    assertBroken(Promise.REPLACED_FOR_GOOD);
  }

  @Test
  void replacedMessageThatIsDeliveredBehindWhatTookItsPlaceIsSeen() throws SQLException {
    UUID first = schedule("a");
    UUID second = replace(first, "a");
    enter(second);
    enter(first);
    assertBroken(Promise.REPLACED_FOR_GOOD, Promise.IN_ORDER); // both are due at one time
  }

  @Test
  void replacementDoesNotExcuseThatAMessageWasLostBefore() throws SQLException {
    UUID lost = schedule("a");
    takeAway(lost);
    enter(replace(lost, "a"));
    assertBroken(Promise.DELIVERED);
  }

  @Test
  void messageThatComesMuchTooLateIsSeenUnlessSomethingWasDown() throws SQLException {
    deliver(plan("a", PAST, null));
    try (Statement statement = connection.createStatement()) {
      statement.execute("UPDATE planned SET planned_at = planned_at - interval '12 seconds'");
      assertBroken(Promise.NEVER_FORGOTTEN);
      plans.wasDown(Instant.now().minusSeconds(60));
      assertBroken();
      statement.execute("UPDATE planned SET planned_at = planned_at - interval '1 hour'");
      assertBroken(Promise.NEVER_FORGOTTEN);
    }
  }

  @Test
  void latenessIsToldOfMessagesInWhoseTimeNothingWasDownAndOfTheOthers() throws SQLException {
    deliver(plan("a", PAST, null), plan("a", PAST, null));
    try (Statement statement = connection.createStatement()) {
      statement.execute("UPDATE planned SET planned_at = planned_at - interval '1 hour'");
      plans.wasDown(Instant.now());
      deliver(plan("a", PAST, null));
      assertThat(Lateness.of(connection).waits())
          .extracting(Wait::goalMs, Wait::count)
          .containsExactly(tuple(1_000L, 2), tuple(11_000L, 1));
      statement.execute("DELETE FROM killed");
      assertThat(Lateness.of(connection).waits())
          .extracting(Wait::goalMs, Wait::count)
          .containsExactly(tuple(1_000L, 3));
    }
  }

  @Test
  void messageThatIsDeliveredTooEarlyIsSeen() throws SQLException {
    deliver(plan("a", LATER, null));
    assertBroken(Promise.NEVER_EARLY);
  }

  @Test
  void orderOfAKeyAtOneTimeIsSeen() throws SQLException {
    UUID first = plan("a", PAST, null);
    UUID second = plan("a", PAST, null);
    deliver(second, first);
    assertBroken(Promise.IN_ORDER);
  }

  @Test
  void messageOfNoTransactionIsSeen() throws SQLException {
    deliver(UUID.randomUUID());
    assertBroken(Promise.NOTHING_ROLLED_BACK);
  }

  @Test
  void messageThatWaitsStillIsSeen() throws SQLException {
    UUID id = outledger.outbox().inNewTransaction(Message.to("t", "e").build(), LATER);
    plans.cancelled(id, false);
    assertBroken(Promise.NOTHING_LEFT);
  }

  @Test
  void messageOfAnotherYearThatHasGoneIsSeen() throws SQLException {
    plans.others(3);
    assertBroken();
    assertThat(UnderWay.now(connection).waiting()).isZero();
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "DELETE FROM outledger_scheduled WHERE number = (SELECT min(number)"
              + " FROM outledger_scheduled)");
    }
    assertBroken(Promise.OTHERS_UNTOUCHED);
  }

  private void assertBroken(Promise... broken) throws SQLException {
    List<Promise> seen = Arrays.stream(Promise.values()).filter(each -> !isKept(each)).toList();
    assertThat(seen).containsExactly(broken);
    assertThat(Promise.allWrong(connection)).hasSize(broken.length);
  }

  private boolean isKept(Promise promise) {
    try {
      return promise.wrong(connection).isEmpty();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private UUID plan(String key, Delivery when, @Nullable UUID replaces) throws SQLException {
    UUID id = UUID.randomUUID();
    plans.planned(new Plan(id, null), key, when, replaces);
    return id;
  }

  /** Schedules for real, under its key as a name; no relay runs that could deliver it. */
  private UUID schedule(String name) throws SQLException {
    return outledger.transactions().call(transaction -> schedule(transaction, name, null));
  }

  private UUID replace(UUID message, String name) throws SQLException {
    return outledger.transactions().call(transaction -> schedule(transaction, name, message));
  }

  private UUID schedule(Connection transaction, String name, @Nullable UUID replaces)
      throws SQLException {
    Message message = Message.to("t", "e").key(name).build();
    Delivery when = replaces == null ? PAST.named(name) : PAST.replacing(name);
    Plans own = new Plans(transaction);
    own.planned(new Plan(message.id(), name), name, when, replaces);
    outledger.outbox().append(transaction, message, when);
    if (replaces != null) {
      own.replaced(replaces);
    }
    return message.id();
  }

  /** Delivers a message, whether it waits or not. */
  private void enter(UUID id) throws SQLException {
    takeAway(id);
    deliver(id);
  }

  private void takeAway(UUID id) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM outledger_scheduled WHERE id = ?")) {
      delete.setObject(1, id);
      delete.executeUpdate();
    }
  }

  private void deliver(UUID... ids) throws SQLException {
    for (UUID id : ids) {
      append(id);
      plans.handled(id);
    }
  }

  private void append(UUID id) throws SQLException {
    outledger.outbox().inNewTransaction(Message.to("t", "e").id(id).build());
  }
}
