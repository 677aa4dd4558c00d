// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.MessageLimits;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A time that the database cannot hold is refused by us; any other comes back as it was. */
class MessageTimesIT {

  private static final List<Instant> KEPT =
      List.of(
          MessageLimits.TIME_MIN,
          Instant.parse("1582-10-10T00:00:00Z"),
          Instant.parse("1969-12-31T23:59:59.999999Z"),
          MessageLimits.TIME_MAX);

  private static final List<Instant> REFUSED =
      List.of(
          Instant.MIN,
          MessageLimits.TIME_MIN.minusNanos(1),
          MessageLimits.TIME_MAX.plusNanos(1_000),
          Instant.parse("+300000-01-01T00:00:00Z"),
          Instant.MAX);

  /** Made without the builder, which would refuse the time before. */
  private static Message at(Instant time) {
    return new Message(UUID.randomUUID(), "t", null, "t", 1, new byte[0], Map.of(), time);
  }

  @Test
  void timesOfFourDigitYearsArePublishedAsTheyWereAppended() {
    try (LiveRelay live = new LiveRelay(StoreDatabase.create())) {
      for (Instant time : KEPT) {
        live.outledger.outbox().inNewTransaction(at(time));
      }
      live.awaitPublished(KEPT.size());
      assertThat(live.publisher.messages()).extracting(Message::time).isEqualTo(KEPT);
    }
  }

  @Test
  void othersAreRefusedAtAppendAndTheTransactionStaysUsable() throws SQLException {
    StoreDatabase database = StoreDatabase.create();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      for (Instant time : REFUSED) {
        assertThatThrownBy(() -> outledger.outbox().append(connection, at(time)))
            .isInstanceOfSatisfying(
                InvalidMessageException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_MESSAGE))
            .hasMessageContaining("time");
      }
      outledger.outbox().append(connection, at(MessageLimits.TIME_MIN));
      connection.commit();
    }
    assertThat(database.number("SELECT count(*) FROM outledger_message")).isEqualTo(1);
  }
}
