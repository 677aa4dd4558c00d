// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.chaos.scheduled.Plans.Plan;
import io.outledger.jdbc.Outledger;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
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
    UUID replaced = plan("c", LATER, null);
    deliver(plan("c", PAST, replaced));
    UUID soEarly = plan("d", PAST, null);
    deliver(soEarly, plan("d", PAST, soEarly));
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
  void replacedMessageThatIsDeliveredLaterIsSeen() throws SQLException {
    UUID first = plan("a", NOW, null);
    UUID second = plan("b", PAST, first);
    deliver(second, first);
    assertBroken(Promise.REPLACED_FOR_GOOD);
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
