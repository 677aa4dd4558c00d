// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.spi.ErrorClass;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresErrorsTest {

  @ParameterizedTest
  @CsvSource({
    "08006, CONNECTION_LOST",
    "57P01, CONNECTION_LOST",
    "57P05, CONNECTION_LOST",
    "53300, CONNECTION_LOST",
    "25P03, SESSION_TIMEOUT",
    "25P04, SESSION_TIMEOUT",
    "53100, DISK_FULL",
    "53200, SERVER_FAILED",
    "58030, SERVER_FAILED",
    "25006, READ_ONLY",
    "42P01, TABLES_MISSING",
    "3F000, TABLES_MISSING",
    "42501, RIGHT_MISSING",
    "40001, RACE",
    "40P01, RACE",
    "55P03, LOCK_TIMEOUT",
    "23505, DUPLICATE_KEY",
    "25P02, TRANSACTION_FAILED",
    "54000, LIMIT_EXCEEDED",
    "22012, REFUSED",
    "57014, STATEMENT_TIMEOUT",
    "53400, REFUSED"
  })
  void stateTellsTheClass(String state, ErrorClass expected) {
    assertThat(PostgresErrors.TABLE.classOf(new SQLException("no", state))).isEqualTo(expected);
  }

  @Test
  void withoutAStateTheConnectionIsLost() {
    assertThat(PostgresErrors.TABLE.classOf(new SQLException("closed")))
        .isEqualTo(ErrorClass.CONNECTION_LOST);
  }

  @Test
  void poolThatHasNoConnectionIsAConnectionLost() {
    assertThat(PostgresErrors.TABLE.classOf(new SQLTransientConnectionException("timed out", "X")))
        .isEqualTo(ErrorClass.CONNECTION_LOST);
  }
}
