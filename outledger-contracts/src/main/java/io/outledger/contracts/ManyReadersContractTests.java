// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxId;
import io.outledger.jdbc.admin.ConsumerState;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Overview;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.SubscriptionState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** More subscriptions and consumers than one call lists: the page says that there are more. */
abstract class ManyReadersContractTests extends AdminContractTests {

  private static final int MORE = Overview.ROWS_MAX + 2;

  @Test
  final void subscriptionsAreListedPageByPage() {
    owner().release();
    copyCursor();
    Listing<SubscriptionState, Reader> first = admin().readers().subscriptions();
    assertThat(first.rows()).isEqualTo(admin().subscriptions()).hasSize(Overview.ROWS_MAX);
    Listing<SubscriptionState, Reader> second =
        admin().readers().subscriptions(there(first.next()));
    assertThat(second.rows()).hasSize(MORE + 1 - Overview.ROWS_MAX);
    assertThat(second.isMore()).isFalse();
    assertThat(second.rows()).doesNotContainAnyElementsOf(first.rows());
  }

  /** Makes subscriptions by copies of one: a relay for each would take long. */
  private void copyCursor() {
    inTransaction(
        transaction -> {
          String others = columnsBesidesTheName(transaction);
          for (int i = 0; i < MORE; i++) {
            execute(
                transaction,
                "INSERT INTO outledger_cursor (subscription, %1$s) SELECT 's%2$s', %1$s"
                        .formatted(others, i)
                    + " FROM outledger_cursor WHERE subscription = '"
                    + SUBSCRIPTION
                    + "'");
          }
        });
  }

  private static String columnsBesidesTheName(Connection transaction) throws SQLException {
    try (Statement statement = transaction.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM outledger_cursor")) {
      ResultSetMetaData columns = rows.getMetaData();
      return IntStream.rangeClosed(1, columns.getColumnCount())
          .mapToObj(i -> name(columns, i))
          .filter(each -> !each.equalsIgnoreCase("subscription"))
          .collect(Collectors.joining(", "));
    }
  }

  private static String name(ResultSetMetaData columns, int i) {
    try {
      return columns.getColumnName(i);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void execute(Connection transaction, String sql) throws SQLException {
    try (Statement statement = transaction.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  final void consumersAreListedPageByPage() {
    inTransaction(
        transaction -> {
          for (int i = 0; i < MORE; i++) {
            database().inbox().insert(transaction, "c" + i, Set.of(new InboxId("s", "1")));
          }
        });
    Listing<ConsumerState, String> first = admin().readers().consumers();
    assertThat(first.rows()).hasSize(Overview.ROWS_MAX);
    Listing<ConsumerState, String> second = admin().readers().consumers(there(first.next()));
    assertThat(second.rows()).hasSize(MORE - Overview.ROWS_MAX);
    assertThat(second.isMore()).isFalse();
  }
}
