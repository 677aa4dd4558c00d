// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.agroal.api.AgroalDataSource;
import io.outledger.Outbox;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.MessageQuery;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What is placed is handled once; what is rolled back never was. */
@QuarkusTest
class OrderServiceIT {

  @Inject OrderService orders;
  @Inject Outbox outbox;
  @Inject Outledger outledger;
  @Inject AgroalDataSource database;
  @Inject JtaTransactions transactions;

  @Test
  void anOrderThatIsCommittedGetsAnInvoice() throws Exception {
    address("ada", "Main Street");

    orders.place("o-1", "ada", 1990);

    assertThat(rows("SELECT id FROM orders WHERE id = ?", "o-1")).hasSize(1);
    await().until(() -> !invoices("o-1").isEmpty());
    assertThat(invoices("o-1")).containsExactly("1990 Main Street");
  }

  @Test
  void anOrderThatIsRolledBackLeavesNothing() throws Exception {
    assertThatThrownBy(
            () ->
                QuarkusTransaction.requiringNew()
                    .run(
                        () -> {
                          place("o-2");
                          throw new IllegalStateException("no credit");
                        }))
        .hasMessageContaining("no credit");

    assertThat(rows("SELECT id FROM orders WHERE id = ?", "o-2")).isEmpty();
    assertThat(outledger.admin().messages(MessageQuery.ALL.withKey("o-2")).rows()).isEmpty();
  }

  private void place(String orderId) {
    try {
      orders.place(orderId, "ada", 1990);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a handler has done before it failed is rolled back with the record that it came. */
  @Test
  void anInvoiceThatFailsIsTriedAgain() throws Exception {
    orders.place("o-3", "grace", 450);
    await().until(() -> parked().stream().anyMatch(each -> each.attempts() > 0));
    assertThat(invoices("o-3")).isEmpty();
    assertThat(parked()).singleElement().extracting(Parked::error).asString().contains("address");

    address("grace", "High Street");

    await().until(() -> !invoices("o-3").isEmpty());
    await().until(() -> parked().isEmpty());
    assertThat(invoices("o-3")).containsExactly("450 High Street");
  }

  @Test
  void anAppendOutsideOfATransactionIsRefused() {
    assertThatThrownBy(() -> outbox.append(new OrderPlaced("o-4", "ada", 1990)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("OUT-001");
  }

  /** So a commit wakes the relay, which need not wait for its next poll. */
  @Test
  void whatIsToBeDoneAfterACommitIsNotDoneAfterARollback() {
    List<String> done = new CopyOnWriteArrayList<>();

    QuarkusTransaction.requiringNew().run(() -> transactions.afterCommit(() -> done.add("first")));
    assertThatThrownBy(
            () ->
                QuarkusTransaction.requiringNew()
                    .run(
                        () -> {
                          transactions.afterCommit(() -> done.add("second"));
                          throw new IllegalStateException("no credit");
                        }))
        .hasMessageContaining("no credit");

    assertThat(done).containsExactly("first");
  }

  private List<Parked> parked() {
    return outledger.admin().parked(ParkedQuery.of(Reader.subscription("shop"))).rows();
  }

  private void address(String customer, String street) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO address (customer, street) VALUES (?, ?)")) {
      insert.setString(1, customer);
      insert.setString(2, street);
      insert.executeUpdate();
    }
  }

  private List<String> invoices(String orderId) throws SQLException {
    return rows("SELECT cents || ' ' || street FROM invoice WHERE order_id = ?", orderId);
  }

  private List<String> rows(String query, String id) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(query)) {
      select.setString(1, id);
      try (ResultSet found = select.executeQuery()) {
        while (found.next()) {
          rows.add(found.getString(1));
        }
      }
    }
    return rows;
  }
}
