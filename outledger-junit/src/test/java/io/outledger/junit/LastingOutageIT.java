// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A destination that stays unreachable fails its test, which names the subscription. */
final class LastingOutageIT {

  @RegisterExtension
  final OutledgerExtension outledger = OutledgerExtension.on(LastingOutageIT::database);

  private static DataSource database() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:outage;DB_CLOSE_DELAY=-1");
    return database;
  }

  @Test
  void theTestIsToldWhatIsPending() {
    outledger.publisher().goDown();
    assertThatThrownBy(
            () ->
                outledger
                    .when(() -> append(Message.to("orders", "order.placed").build()))
                    .until("it is published", () -> !outledger.publisher().messages().isEmpty()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("after 100 rounds messages are still pending")
        .hasMessageContaining("Pending: {outledger-junit=1}");
  }

  private void append(Message message) {
    outledger.outledger().outbox().inNewTransaction(message);
  }
}
