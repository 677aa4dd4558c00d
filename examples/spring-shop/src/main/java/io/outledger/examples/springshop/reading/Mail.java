// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.reading;

import io.outledger.examples.springshop.Incoming;
import io.outledger.spring.Inboxed;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Queues one mail for each order that has come to its end. */
@Component
class Mail {

  private static final Logger LOG = LoggerFactory.getLogger(Mail.class);

  private final JdbcClient jdbc;
  private final Incoming incoming;

  Mail(JdbcClient jdbc, Incoming incoming) {
    this.jdbc = jdbc;
    this.incoming = incoming;
  }

  @KafkaListener(topics = "orders", groupId = "mail")
  @Inboxed(consumer = "mail", source = "orders", id = "#p0.headers().lastHeader('ce_id').value()")
  void onOrder(ConsumerRecord<String, byte[]> message) {
    String type = incoming.type(message);
    if (type.equals("order.completed") || type.equals("order.cancelled")) {
      jdbc.sql("INSERT INTO shop_mail (order_id, about) VALUES (?, ?)")
          .params(message.key(), type)
          .update();
      LOG.info("order {}: {}", message.key(), type);
    }
  }
}
