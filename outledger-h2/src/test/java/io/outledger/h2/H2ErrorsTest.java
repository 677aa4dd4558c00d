// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.spi.ErrorClass;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class H2ErrorsTest {

  @ParameterizedTest
  @CsvSource({
    "90121, CONNECTION_LOST",
    "90031, SERVER_FAILED",
    "90097, READ_ONLY",
    "42102, TABLES_MISSING",
    "90096, RIGHT_MISSING",
    "40001, RACE",
    "50200, LOCK_TIMEOUT",
    "57014, STATEMENT_TIMEOUT",
    "23505, DUPLICATE_KEY",
    "22012, REFUSED"
  })
  void codeTellsTheClass(int code, ErrorClass expected) {
    SQLException failure = new SQLException("no", String.valueOf(code), code);
    assertThat(H2Errors.TABLE.classOf(failure)).isEqualTo(expected);
  }

  @Test
  void poolThatHasNoConnectionIsAConnectionLost() {
    assertThat(H2Errors.TABLE.classOf(new SQLTransientConnectionException("timed out")))
        .isEqualTo(ErrorClass.CONNECTION_LOST);
  }
}
