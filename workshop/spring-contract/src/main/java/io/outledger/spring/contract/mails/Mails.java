// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.mails;

import io.outledger.Outbox;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.contract.shop.MailQueued;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Queues a mail for each order. */
@Component
public class Mails {

  private final JdbcClient jdbc;
  private final Outbox outbox;
  private final AtomicInteger failures = new AtomicInteger();

  Mails(JdbcClient jdbc, Outbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  /** Queues one, and announces it. */
  @OutboxHandler("mail")
  public void queue(OrderPlaced order) {
    jdbc.sql("INSERT INTO mail (order_id) VALUES (?)").param(order.orderId()).update();
    outbox.append(new MailQueued(order.orderId()));
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IllegalStateException("the next calls were to fail");
    }
  }

  /** Lets the next calls fail. */
  public void failNext(int calls) {
    failures.set(calls);
  }

  /** Returns how many mails are queued for an order. */
  public int queued(String orderId) {
    return jdbc.sql("SELECT count(*) FROM mail WHERE order_id = ?")
        .param(orderId)
        .query(Integer.class)
        .single();
  }
}
