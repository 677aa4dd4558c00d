// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class RedactedSqlExceptionTest {

  @Test
  void aHostThatIsNotKnownIsNamed() {
    SQLException driver =
        new SQLException(
            "The connection attempt failed.", "08001", new UnknownHostException("db.internl"));
    SQLException pool = new SQLException("no connection in 30 s", null, driver);
    assertThat(RedactedSqlException.firstLine(driver))
        .isEqualTo("The connection attempt failed. The host name is not known: db.internl");
    assertThat(RedactedSqlException.firstLine(pool)).endsWith("not known: db.internl");
  }

  @Test
  void whatTheServerAddsToItsFirstLineIsLeftOut() {
    assertThat(RedactedSqlException.firstLine(new SQLException("refused\nDetail: (name)=(Ann)")))
        .isEqualTo("refused");
  }
}
