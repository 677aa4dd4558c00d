// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.shop;

import io.outledger.Outbox;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. */
@Service
public class OrderService {

  private final JdbcClient jdbc;
  private final Outbox outbox;

  OrderService(JdbcClient jdbc, Outbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  /** Stores an order and announces it, both or neither. */
  @Transactional
  public void place(String orderId, int cents) {
    jdbc.sql("INSERT INTO orders (id, cents) VALUES (?, ?)").params(orderId, cents).update();
    outbox.append(new OrderPlaced(orderId, cents));
  }
}
