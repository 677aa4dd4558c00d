// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The switch of docs/moving.md. */
class OutboxSwitchIT {

  private static final DocumentedSql PAGE = DocumentedSql.of("moving.md");

  private final MovingDatabase database;
  private final OutboxSwitch outboxSwitch = new OutboxSwitch();

  OutboxSwitchIT() throws SQLException {
    database = new MovingDatabase("home-made.sql");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void theSwitchWaitsForTransactionsThatHaveAskedAndNobodyOverlooksIt() throws SQLException {
    database.execute(PAGE.block("Prepare the switch"));
    String impatient =
        PAGE.block("Switch").replace("BEGIN;", "BEGIN; SET LOCAL lock_timeout = '50ms';");

    try (Connection old = database.connection();
        Connection other = database.connection()) {
      old.setAutoCommit(false);
      assertThat(outboxSwitch.hasMoved(old)).isFalse();
      other.setAutoCommit(false);
      assertThat(outboxSwitch.hasMoved(other)).isFalse();
      other.commit();
      assertThatThrownBy(() -> database.execute(impatient)).hasMessageContaining("lock timeout");
      old.commit();
      database.execute(impatient);
      assertThat(outboxSwitch.hasMoved(other)).isTrue();
    }
  }
}
