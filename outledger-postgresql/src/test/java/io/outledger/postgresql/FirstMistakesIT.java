// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
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
    PGSimpleDataSource source = database.dataSource();
    String role = "reader_" + database.name;
    database.execute("CREATE ROLE " + role);
    database.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + role);
    source.setOptions("-c role=" + role);
    try (Outledger outledger = Outledger.builder(source).withoutRetention().build()) {
      fails(
          () -> outledger.outbox().inNewTransaction(MESSAGE),
          ErrorCode.STORE_FAILED,
          "grant the user the rights of an outbox: INSERT on outledger_message",
          "permission denied");
    } finally {
      database.execute("DROP OWNED BY " + role + "; DROP ROLE " + role);
    }
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
