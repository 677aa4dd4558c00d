// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.MessageLimits;
import io.outledger.jdbc.Outledger;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class AppendContractTests extends DatabaseContractTests {

  private static final int MANY = 500;
  private static final int LARGE = 5 << 20;

  @Test
  final void wholeMessageIsKept() {
    byte[] payload = new byte[256];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }
    Message message =
        Message.to("orders-ö", "order.placed")
            .key("kéy 🔑 '\"\\ % & =")
            .version(7)
            .payload(payload)
            .header("name", "välue & = % +")
            .header("other", "")
            .time(Instant.parse("2026-02-03T04:05:06.123456Z"))
            .build();
    append(List.of(message));
    assertSame(messages(), List.of(message));
  }

  @Test
  final void messageWithoutKeyHeadersAndPayloadIsKept() {
    Message message = Message.to("orders", "order.placed").build();
    append(List.of(message, message));
    assertThat(messages())
        .hasSize(2)
        .allSatisfy(
            read -> {
              assertThat(read.key()).isNull();
              assertThat(read.payload()).isEmpty();
              assertThat(read.headers()).isEmpty();
            });
  }

  @Test
  final void builderThatIsAppendedHasTheTimeOfItsOutledger() {
    Instant noon = Instant.parse("2026-01-02T12:00:00.000007Z");
    try (Outledger outledger =
        Outledger.builder(dataSource()).withoutRetention().time(new Stopped(noon)).build()) {
      outledger.outbox().inNewTransaction(Message.to("orders", "order.placed").key("o-1"));
    }
    assertThat(messages())
        .singleElement()
        .satisfies(
            read -> {
              assertThat(read.time()).isEqualTo(noon);
              assertThat(read.id().getMostSignificantBits() >>> 16).isEqualTo(noon.toEpochMilli());
            });
  }

  private record Stopped(Instant now) implements TimeSource {

    @Override
    public long nanoTime() {
      return 0;
    }
  }

  @Test
  final void timesAtTheLimitsAreKept() {
    Message first = Message.to("orders", "t").time(MessageLimits.TIME_MIN).build();
    Message last = Message.to("orders", "t").time(MessageLimits.TIME_MAX).build();
    append(List.of(first));
    append(List.of(last));
    assertSame(messages(), List.of(first, last));
  }

  @Test
  final void positionsFollowTheOrderGiven() {
    List<Message> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(StoreContractTests.message("key-" + i % 7));
    }
    inTransaction(
        transaction -> {
          database().appender().append(transaction, all.subList(0, 1));
          database().appender().append(transaction, all.subList(1, MANY - 1));
          database().appender().append(transaction, all.subList(MANY - 1, MANY));
        });
    assertSame(messages(), all);
  }

  @Test
  final void whatIsRolledBackWasNeverThere() throws SQLException {
    append("before");
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      database().appender().append(connection, List.of(StoreContractTests.message("gone")));
      connection.rollback();
    }
    append("after");
    assertThat(messages()).extracting(Message::key).containsExactly("before", "after");
  }

  @Test
  final void whatIsRolledBackToASavepointWasNeverThere() {
    inTransaction(
        transaction -> {
          database().appender().append(transaction, List.of(StoreContractTests.message("before")));
          Savepoint savepoint = transaction.setSavepoint();
          database().appender().append(transaction, List.of(StoreContractTests.message("gone")));
          transaction.rollback(savepoint);
          database().appender().append(transaction, List.of(StoreContractTests.message("after")));
        });
    assertThat(messages()).extracting(Message::key).containsExactly("before", "after");
  }

  /** A caller may catch what an append has thrown, and commit: then all of it is missing. */
  @Test
  final void appendThatFailsLeavesNothingThoughItsTransactionGoesOn() throws SQLException {
    execute("CREATE UNIQUE INDEX contract_once ON outledger_message (message_key)");
    // No database takes these three in one statement, unless it takes any number.
    List<Message> refused =
        List.of(withKey("twice", 1), withKey("large", LARGE), withKey("twice", 1));
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      database().appender().append(connection, List.of(withKey("before", 1)));
      assertThatThrownBy(() -> database().appender().append(connection, refused))
          .isInstanceOf(SQLException.class);
      try {
        connection.commit();
      } catch (SQLException e) {
        connection.rollback(); // where the failure has ended the transaction
      }
    }
    assertThat(messages()).extracting(Message::key).isSubsetOf("before");
    append(List.of(withKey("twice", 1), withKey("large", LARGE), withKey("after", 1)));
    assertThat(messages()).extracting(Message::key).contains("twice", "large", "after");
  }

  private static Message withKey(String key, int bytes) {
    return Message.to("orders", "OrderPlaced").key(key).payload(new byte[bytes]).build();
  }

  private static void assertSame(List<Message> read, List<Message> written) {
    assertThat(read).extracting(Message::id).isEqualTo(ids(written));
    assertThat(read).usingRecursiveFieldByFieldElementComparator().isEqualTo(written);
  }

  private static List<?> ids(List<Message> messages) {
    return messages.stream().map(Message::id).toList();
  }
}
