// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class FailureTest {

  /** It goes into {@code outledger_inbox_parked}. */
  @Test
  void descriptionHasNothingThatADatabaseQuotes() {
    SQLException duplicate = new SQLException("ERROR: duplicate key\n  Detail: (email)=(alice)");
    assertThat(Failure.describe(new IllegalStateException(duplicate)))
        .isEqualTo("java.lang.IllegalStateException: java.sql.SQLException: ERROR: duplicate key");
  }
}
