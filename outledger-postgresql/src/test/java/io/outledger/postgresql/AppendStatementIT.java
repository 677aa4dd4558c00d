// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one statement takes, and what a moved database makes of it. */
class AppendStatementIT {

  private final StoreDatabase database = StoreDatabase.create();

  private static Message message(String key, int bytes) {
    return Message.to("a", "b").key(key).payload(new byte[bytes]).build();
  }

  @Test
  void moreThanOneStatementMayTakeIsSeveralInTheSameOrder() throws SQLException {
    AppendStatement append = new AppendStatement(new Tables("public"), 100);
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      append.append(
          connection,
          List.of(
              message("1", 40),
              message("2", 60),
              message("3", 1),
              message("4", 500),
              message("5", 99),
              message("6", 1),
              message("7", 1)));
      connection.commit();
    }
    assertThat(database.query("SELECT message_key FROM outledger_message ORDER BY position"))
        .containsExactly("1", "2", "3", "4", "5", "6", "7");
  }

  @Test
  void aSequenceBehindItsTableIsToldWithTheStatementThatSetsIt() throws SQLException {
    try (Outledger outledger =
        Outledger.builder(database.dataSource()).withoutRetention().build()) {
      outledger.outbox().inNewTransaction(message("1", 1), message("2", 1));
      database.execute("SELECT setval('outledger_message_position', 1, false)");
      assertThatThrownBy(() -> outledger.outbox().inNewTransaction(message("3", 1)))
          .isInstanceOf(OutledgerException.class)
          .hasMessageStartingWith(ErrorCode.LEDGER_BEHIND_CURSOR.code())
          .hasMessageContaining("is behind")
          .hasMessageContaining("SELECT setval('\"public\".outledger_message_position'")
          .satisfies(e -> database.execute(remedy(e)));
      outledger.outbox().inNewTransaction(message("4", 1));
    }
    assertThat(
            database.query("SELECT position, message_key FROM outledger_message ORDER BY position"))
        .containsExactly("1|1", "2|2", "3|4");
  }

  private static String remedy(Throwable failure) {
    String text = String.valueOf(failure.getMessage());
    return text.substring(text.indexOf("SELECT setval"));
  }
}
