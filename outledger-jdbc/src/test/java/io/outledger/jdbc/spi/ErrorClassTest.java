// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ErrorClassTest {

  @Test
  void relayAndOperatorAreGivenTheCodeOfTheTable() {
    SQLException refused = new SQLException("no", "X");
    for (ErrorClass found : ErrorClass.values()) {
      assertThat(StoreFailure.of(failure -> found, "reading", refused).code())
          .isEqualTo(found.code());
      assertThat(StoreFailure.ofOperator(failure -> found, "deleting", refused).code())
          .isEqualTo(found.code());
    }
  }

  @Test
  void whatIsTheDatabasesFaultIsAnOutageByItsCode() {
    assertThat(
            Stream.of(ErrorClass.values())
                .filter(found -> found.blame() == ErrorClass.Blame.DATABASE || found.endsSession()))
        .isNotEmpty()
        .allMatch(found -> found.code().isOutage());
  }

  @Test
  void missingRightSaysWhatToGrant() {
    SQLException denied = new SQLException("permission denied for table outledger_lease", "42501");
    assertThat(StoreFailure.of(failure -> ErrorClass.RIGHT_MISSING, "taking the lease", denied))
        .hasMessageContainingAll("grant the role", "permission denied");
    assertThat(StoreFailure.of(failure -> ErrorClass.REFUSED, "taking the lease", denied))
        .hasMessageNotContaining("grant the role");
  }
}
