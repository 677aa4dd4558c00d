// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.sql.KeyRowsBySql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeyRowsIT {

  /** A receiver would take it for a lost connection otherwise, and retry without end. */
  @Test
  void rowThatIsMissingIsTheSchemasFault() throws SQLException {
    try (TestH2 database = TestH2.create();
        Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      database.execute("DELETE FROM outledger_key_lock");
      KeyRowsBySql keys = new KeyRowsBySql(new Tables(Tables.DEFAULT_SCHEMA));
      assertThatExceptionOfType(ConfigurationException.class)
          .isThrownBy(() -> keys.lock(connection, List.of("a")))
          .withMessageContaining("outledger_key_lock has lost a row")
          .matches(e -> e.code() == ErrorCode.SCHEMA_MISSING);
    }
  }
}
