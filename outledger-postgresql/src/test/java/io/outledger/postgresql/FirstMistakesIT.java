// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.admin.Verb;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What newcomers get wrong first: each mistake has a code, and its text says what to do. */
class FirstMistakesIT {

  private static final Message MESSAGE = Message.to("orders", "placed").key("k").build();

  private final TestDatabase database = TestDatabase.create();

  /** A pool that has handed out all of its connections, once it is told so. */
  private static final class Exhausted extends PGSimpleDataSource {

    private static final long serialVersionUID = 1L;

    private boolean isEmpty;

    @Override
    public Connection getConnection() throws SQLException {
      if (isEmpty) {
        throw new SQLTransientConnectionException("Connection is not available, total=1, active=1");
      }
      return super.getConnection();
    }
  }

  @Test
  void wrongPassword() {
    PGSimpleDataSource source = database.dataSource();
    source.setPassword("not-the-one");
    fails(
        () -> Outledger.builder(source).build(),
        ErrorCode.STORE_UNAVAILABLE,
        "check that it is up, and its address, user and password",
        "password authentication failed");
  }

  @Test
  void poolWithoutAConnectionLeft() {
    Exhausted pool = database.configured(new Exhausted(), Postgres.shared().port());
    try (Outledger outledger = Outledger.builder(pool).withoutRetention().build()) {
      pool.isEmpty = true;
      fails(
          () -> outledger.outbox().inNewTransaction(MESSAGE),
          ErrorCode.STORE_UNAVAILABLE,
          "give it one for each relay, handler thread and request",
          "Connection is not available");
    }
  }

  @Test
  void missingRight() {
    String role = role("GRANT SELECT ON ALL TABLES IN SCHEMA public TO %s");
    PGSimpleDataSource source = as(role);
    try (Outledger outledger = Outledger.builder(source).withoutRetention().build()) {
      ThrowingCallable append = () -> outledger.outbox().inNewTransaction(MESSAGE);
      failsFor(append, "roll back; grant the user INSERT on outledger_message (");
      grant("INSERT ON outledger_message", role);
      failsFor(append, "roll back; grant the user USAGE on outledger_message_position (");
      grant("USAGE ON SEQUENCE outledger_message_position", role);
      outledger.outbox().inNewTransaction(MESSAGE);
      failsFor(
          () -> outledger.retention().purgeMessages(Duration.ofDays(7)),
          "the user lacks a right on outledger_retention: docs/schema.md");
      failsFor(
          () -> outledger.requests().ask(new Verb.Delete("all").by("anna", "not needed")),
          "the user lacks a right on outledger_request: docs/schema.md");
    } finally {
      drop(role);
    }
  }

  @Test
  void missingRightToReadAnything() {
    String role = role("SELECT 1");
    try {
      failsFor(
          () -> Outledger.builder(as(role)).build(),
          "the user lacks a right on outledger_schema: docs/schema.md");
    } finally {
      drop(role);
    }
  }

  @Test
  void missingRightToMakeTables() {
    String role = role("CREATE SCHEMA others");
    try {
      failsFor(
          () -> Schema.of(as(role), "others").apply(as(role)),
          "whoever applies the schema needs the right to make tables");
    } finally {
      drop(role);
    }
  }

  private String role(String grant) {
    String role = "reader_" + database.name;
    database.execute("CREATE ROLE " + role);
    database.execute(grant.formatted(role));
    return role;
  }

  private void grant(String right, String role) {
    database.execute("GRANT " + right + " TO " + role);
  }

  private void drop(String role) {
    database.execute("DROP OWNED BY " + role + "; DROP ROLE " + role);
  }

  private PGSimpleDataSource as(String role) {
    PGSimpleDataSource source = database.dataSource();
    source.setOptions("-c role=" + role);
    return source;
  }

  private static void failsFor(ThrowingCallable mistake, String remedy) {
    fails(mistake, ErrorCode.STORE_FAILED, remedy, "permission denied");
  }

  @Test
  void nullEmptyKeyAndAStreamInPlaceOfItsElements() {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      fails(
          () -> outledger.outbox().inNewTransaction(Arrays.asList(MESSAGE, null).toArray()),
          ErrorCode.INVALID_MESSAGE,
          "element 1");
      fails(
          () -> outledger.outbox().inNewTransaction(List.of(MESSAGE).stream()),
          ErrorCode.UNREGISTERED_TYPE,
          "toList()");
      Object array = new Message[] {MESSAGE};
      fails(
          () -> outledger.outbox().inNewTransaction(array),
          ErrorCode.UNREGISTERED_TYPE,
          "cannot append a io.outledger.Message[]");
      fails(
          () -> Message.to("orders", "placed").key("").build(),
          ErrorCode.INVALID_MESSAGE,
          "key has 0 characters");
    }
    assertThat(database.count("outledger_message")).isZero();
  }

  @Test
  void collectionIsAppendedInATransactionOfItsOwn() {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      assertThat(outledger.outbox().inNewTransaction(List.of(MESSAGE)))
          .containsExactly(MESSAGE.id());
      assertThat(outledger.outbox().inNewTransaction(List.of())).isEmpty();
    }
    assertThat(database.count("outledger_message")).isOne();
  }

  private static void fails(ThrowingCallable mistake, ErrorCode code, String... texts) {
    assertThatThrownBy(mistake)
        .isInstanceOfSatisfying(OutledgerException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContainingAll(texts);
  }
}
