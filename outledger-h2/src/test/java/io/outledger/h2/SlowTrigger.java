// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.h2.api.Trigger;

/** A trigger of an application, which takes its time after the position was drawn. */
public final class SlowTrigger implements Trigger {

  static final String TYPE = "order.checked";

  /** Creates it; for H2. */
  public SlowTrigger() {}

  static void addTo(TestH2 database) {
    database.execute(
        "CREATE TRIGGER slow BEFORE INSERT ON outledger_message FOR EACH ROW CALL '%s'"
            .formatted(SlowTrigger.class.getName()));
  }

  @Override
  public void fire(Connection connection, Object[] before, Object[] after) throws SQLException {
    if (TYPE.equals(after[6])) {
      Sql.of(connection, "SELECT COUNT(*) FROM SYSTEM_RANGE(1, 20000) r WHERE MOD(r.X, 7) = 3")
          .number();
    }
  }
}
