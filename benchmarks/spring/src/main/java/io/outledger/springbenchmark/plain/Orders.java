// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark.plain;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. */
@Service
public class Orders {

  private final JdbcTemplate jdbc;

  Orders(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** Stores an order. */
  @Transactional
  public void place(String id, int cents) {
    jdbc.update("INSERT INTO orders (id, cents) VALUES (?, ?)", id, cents);
  }
}
