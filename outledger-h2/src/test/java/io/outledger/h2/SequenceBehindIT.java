// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.jdbc.Outledger;
import org.junit.jupiter.api.Test;

/** A ledger whose rows were moved without the sequence that numbers them. */
class SequenceBehindIT {

  @Test
  void theErrorHasTheStatementThatSetsTheSequence() throws Exception {
    Message message = Message.to("a", "b").build();
    try (TestH2 database = TestH2.create();
        Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      outledger.outbox().inNewTransaction(message, message.copy().build());
      database.execute("ALTER SEQUENCE outledger_message_position RESTART WITH 1");
      assertThatThrownBy(() -> outledger.outbox().inNewTransaction(message))
          .isInstanceOf(OutledgerException.class)
          .hasMessageStartingWith(ErrorCode.LEDGER_BEHIND_CURSOR.code())
          .satisfies(
              e -> {
                String text = String.valueOf(e.getMessage());
                database.execute(text.substring(text.indexOf("ALTER SEQUENCE")));
              });
      outledger.outbox().inNewTransaction(message);
      assertThat(database.lastNumber()).isEqualTo(3);
    }
  }
}
