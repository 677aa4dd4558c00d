// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.spi.ErrorClass;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the error codes of both products mean, those included that are hard to bring about. */
class MySqlErrorsTest {

  @ParameterizedTest
  @CsvSource({
    // Of both.
    "1040, CONNECTION_LOST",
    "1053, CONNECTION_LOST",
    "2006, CONNECTION_LOST",
    "2013, CONNECTION_LOST",
    "1021, DISK_FULL",
    "1114, DISK_FULL",
    "1030, SERVER_FAILED",
    "1153, LIMIT_EXCEEDED",
    "1290, READ_ONLY",
    "1792, READ_ONLY",
    "1146, TABLES_MISSING",
    "1142, RIGHT_MISSING",
    "1213, RACE",
    "1205, LOCK_TIMEOUT",
    "1317, STATEMENT_TIMEOUT",
    "1062, DUPLICATE_KEY",
    "1048, REFUSED",
    "1193, REFUSED",
    // A session of MySQL that was idle for too long; a statement that took too long; NOWAIT.
    "4031, CONNECTION_LOST",
    "3024, STATEMENT_TIMEOUT",
    "3572, LOCK_TIMEOUT",
    // A session of MariaDB that was killed; such a statement; a row that a snapshot does not show.
    "1927, CONNECTION_LOST",
    "1969, STATEMENT_TIMEOUT",
    "1020, RACE"
  })
  void codeHasAClass(int code, ErrorClass expected) {
    SQLException failure = new SQLException("no", "HY000", code);
    assertThat(MySqlErrors.TABLE.classOf(failure)).isEqualTo(expected);
  }

  @Test
  void classOfABatchIsThatOfItsFirstFailure() {
    BatchUpdateException batch = new BatchUpdateException("no", "HY000", 0, new int[0]);
    batch.setNextException(new SQLException("deadlock", "40001", 1213));
    assertThat(MySqlErrors.TABLE.classOf(batch)).isEqualTo(ErrorClass.RACE);
  }
}
