// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.reading;

import io.outledger.examples.springshop.events.OrderCancelled;
import io.outledger.examples.springshop.events.OrderCompleted;
import io.outledger.spring.boot.InboxListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Queues one mail for each order that has come to its end. */
@Component
class Mail {

  private static final Logger LOG = LoggerFactory.getLogger(Mail.class);

  private final JdbcClient jdbc;

  Mail(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @InboxListener("mail")
  void onCompleted(OrderCompleted order) {
    queue(order.orderId(), "order.completed");
  }

  @InboxListener("mail")
  void onCancelled(OrderCancelled order) {
    queue(order.orderId(), "order.cancelled");
  }

  private void queue(String orderId, String about) {
    jdbc.sql("INSERT INTO shop_mail (order_id, about) VALUES (?, ?)")
        .params(orderId, about)
        .update();
    LOG.info("order {}: {}", orderId, about);
  }
}
