// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark.handler;

import io.outledger.spring.boot.OutboxHandler;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Reacts to orders. */
@Component
public class Mails {

  private final JdbcTemplate jdbc;

  Mails(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** Changes the order, once. */
  @OutboxHandler("mail")
  public void on(OrderPlaced order) {
    jdbc.update("UPDATE orders SET cents = cents WHERE id = ?", order.id());
  }
}
