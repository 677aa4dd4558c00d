// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

import io.outledger.examples.contract.OrderPlaced;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

/**
 * Places an order: the request's row in the inbox, the order, and its event are one transaction. A
 * client that never got its answer asks again under the same key, and gets the answer of the order
 * that it made the first time.
 */
final class PlaceOrder {

  private static final BigDecimal CREDIT = new BigDecimal("1000.00");

  private final Outledger outledger;
  private final JdbcInbox inbox;
  private final OrderTable orders;

  PlaceOrder(Outledger outledger, OrderTable orders) {
    this.outledger = outledger;
    this.inbox = outledger.inbox("place-order");
    this.orders = orders;
  }

  /**
   * Places an order, or finds the one that was placed under this key.
   *
   * @throws RefusedException where a rule of the business forbids it; nothing has happened then
   */
  Order place(String idempotencyKey, OrderRequest request) throws SQLException {
    return outledger.transactions().call(connection -> place(connection, idempotencyKey, request));
  }

  private Order place(Connection connection, String idempotencyKey, OrderRequest request)
      throws SQLException {
    Received received =
        new Received(
            "http",
            idempotencyKey,
            "orders",
            null,
            "place",
            1,
            new byte[0],
            Map.of(),
            null,
            "",
            "");
    inbox.process(connection, received, () -> insert(connection, idempotencyKey, request));
    Order order = orders.find(connection, idempotencyKey);
    if (!order.answers(request)) {
      throw new RefusedException("this Idempotency-Key was used for another order");
    }
    return order;
  }

  private void insert(Connection connection, String idempotencyKey, OrderRequest request)
      throws SQLException {
    // Orders of one customer wait for each other, so that numbers and positions ascend together.
    outledger.outbox().lockKeys(connection, request.customer());
    Order order = newOrder(connection, request);
    orders.insert(connection, idempotencyKey, order);
    outledger
        .outbox()
        .append(
            connection,
            new OrderPlaced(
                order.id(),
                order.customer(),
                order.number(),
                order.product(),
                order.quantity(),
                order.total()));
    if (order.total().compareTo(CREDIT) > 0) {
      throw new RefusedException("the order's total of " + order.total() + " is over " + CREDIT);
    }
  }

  private Order newOrder(Connection connection, OrderRequest request) throws SQLException {
    long number = orders.nextNumber(connection, request.customer());
    BigDecimal price = orders.price(connection, request.product());
    return new Order(
        UUID.randomUUID(),
        request.customer(),
        number,
        request.product(),
        request.quantity(),
        price.multiply(BigDecimal.valueOf(request.quantity())));
  }
}
