// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorClassTest {

  private static final SQLException FAILURE = new SQLException("no", "X");

  @ParameterizedTest
  @EnumSource
  void relayAndOperatorAreGivenTheCodeOfTheTable(ErrorClass found) {
    assertThat(StoreFailure.of(failure -> found, "reading", FAILURE).code())
        .isEqualTo(found.code());
    assertThat(StoreFailure.ofOperator(failure -> found, "deleting", FAILURE).code())
        .isEqualTo(found.code());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsTheDatabasesFaultIsAnOutageByItsCode(ErrorClass found) {
    if (found.blame() == ErrorClass.Blame.DATABASE || found.endsSession()) {
      assertThat(found.code().isOutage()).isTrue();
    }
  }
}
