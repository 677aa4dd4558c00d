// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark.handler;

import io.outledger.Outbox;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. */
@Service
public class Orders {

  private final JdbcTemplate jdbc;
  private final Outbox outbox;

  Orders(JdbcTemplate jdbc, Outbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  /** Stores an order and announces it. */
  @Transactional
  public void place(String id, int cents) {
    jdbc.update("INSERT INTO orders (id, cents) VALUES (?, ?)", id, cents);
    outbox.append(new OrderPlaced(id, cents));
  }
}
