// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.sql.Sql;
import io.outledger.store.FailedAttempt;
import io.outledger.store.LeaseGrant;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A save that parks thousands, as after an outage, asks the server some times, and not for each.
 */
abstract class ParkingManyIT {

  private static final int MESSAGES = 2_000;
  private static final int STATEMENTS_MAX = MESSAGES / 10;

  private final TestDatabase database;

  ParkingManyIT(TestDatabase empty) {
    this.database = empty.withTables();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void statementsAreFewerThanRows() throws SQLException {
    try (RelayStore store = database.store("s", Start.EARLIEST)) {
      UUID incarnation = UUID.randomUUID();
      LeaseGrant grant =
          store.takeOver(store.look(), incarnation, TestDatabase.LEASE, () -> {}).orElseThrow();
      long before = asked();
      assertThat(store.save(save(grant, incarnation))).isInstanceOf(SaveOutcome.Saved.class);
      assertThat(asked() - before).isLessThan(STATEMENTS_MAX);
    }
    assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_parked"))
        .isEqualTo(MESSAGES);
    assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_attempt"))
        .isEqualTo(MESSAGES);
  }

  private static Save save(LeaseGrant grant, UUID incarnation) {
    List<ParkedChange> changes =
        LongStream.rangeClosed(1, MESSAGES).mapToObj(ParkingManyIT::failed).toList();
    return new Save(
        grant.n(),
        incarnation,
        grant.server(),
        TestDatabase.LEASE,
        grant.frontier(),
        Positions.NONE,
        Positions.NONE,
        changes,
        null,
        Set.of());
  }

  private static ParkedChange failed(long position) {
    Message message = Message.to("orders", "placed").key("k" + position).build();
    return new ParkedChange.Park(
        new ParkedMessage(
            position, "", message, ParkedState.RETRYING, 1, true, null, false, 0, null),
        "the broker said no",
        Duration.ofMinutes(1),
        FailedAttempt.UNTIMED);
  }

  /** Returns how many statements clients have sent; the server is asked by nobody else here. */
  private long asked() throws SQLException {
    try (Connection connection = database.connect()) {
      return Sql.in(database.tables(), connection, "SHOW GLOBAL STATUS LIKE 'Questions'")
          .first(row -> row.getLong(2))
          .orElseThrow();
    }
  }
}
