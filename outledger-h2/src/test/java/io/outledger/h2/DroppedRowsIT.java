// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.SQLException;
import org.h2.api.Trigger;
import org.junit.jupiter.api.Test;

/** A ledger whose trigger drops what is appended is refused: H2 counts the rows all the same. */
final class DroppedRowsIT {

  /** Runs in place of the insert. */
  public static final class Drops implements Trigger {

    /** Creates it; for H2. */
    public Drops() {}

    @Override
    public void fire(Connection connection, Object[] before, Object[] after) {}
  }

  @Test
  void ledgerWithATriggerInPlaceOfItsInsertsIsRefused() throws SQLException {
    LedgerPreconditions preconditions =
        new LedgerPreconditions(new Tables(Tables.DEFAULT_SCHEMA), new CursorKey("s", 0));
    try (TestH2 database = TestH2.create();
        Connection connection = database.connect()) {
      SlowTrigger.addTo(database);
      preconditions.check(connection, 0);
      database.execute(
          "CREATE TRIGGER drops INSTEAD OF INSERT ON outledger_message FOR EACH ROW CALL '%s'"
              .formatted(Drops.class.getName()));
      assertThatThrownBy(() -> preconditions.check(connection, 0))
          .hasMessageContainingAll("OUT-008", "trigger", "DROPS");
    }
  }
}
