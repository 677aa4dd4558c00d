// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.Messages.PriceChanged;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.JdbcTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** The prices of the plans. */
final class Prices {

  private final JdbcTransactions transactions;
  private final JdbcOutbox outbox;

  Prices(JdbcTransactions transactions, JdbcOutbox outbox) {
    this.transactions = transactions;
    this.outbox = outbox;
  }

  /** The price of a month. */
  record Price(int cents, String currency) {}

  void set(String plan, Price price) throws SQLException {
    transactions.run(
        connection -> {
          int known =
              Sql.update(
                  connection,
                  "UPDATE price SET cents = ?, currency = ? WHERE plan = ?",
                  price.cents(),
                  price.currency(),
                  plan);
          if (known == 0) {
            Sql.update(
                connection,
                "INSERT INTO price (cents, currency, plan) VALUES (?, ?, ?)",
                price.cents(),
                price.currency(),
                plan);
          }
          outbox.append(connection, new PriceChanged(plan, price.cents(), price.currency()));
        });
  }

  /** Reads in the caller's transaction; nothing where the plan is not sold any more. */
  static Optional<Price> of(Connection connection, String plan) throws SQLException {
    return Sql.first(
        connection,
        "SELECT cents, currency FROM price WHERE plan = ?",
        row -> new Price(row.getInt(1), row.getString(2)),
        plan);
  }
}
