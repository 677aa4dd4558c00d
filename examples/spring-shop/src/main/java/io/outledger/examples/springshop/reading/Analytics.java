// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.reading;

import io.outledger.examples.springshop.Incoming;
import io.outledger.spring.Inboxed;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Counts what happens, by type. The inbox keeps a message that is delivered twice from counting
 * twice.
 */
@Component
class Analytics {

  private static final String COUNT =
      """
      INSERT INTO shop_count (type, total) VALUES (?, 1)
      ON CONFLICT (type) DO UPDATE SET total = shop_count.total + 1
      """;

  private final JdbcClient jdbc;
  private final Incoming incoming;

  Analytics(JdbcClient jdbc, Incoming incoming) {
    this.jdbc = jdbc;
    this.incoming = incoming;
  }

  @KafkaListener(
      topics = {"orders", "payments", "shipments"},
      groupId = "analytics")
  @Inboxed(
      consumer = "analytics",
      source = "shop",
      id = "#p0.headers().lastHeader('ce_id').value()")
  void onAnything(ConsumerRecord<String, byte[]> message) {
    jdbc.sql(COUNT).param(incoming.type(message)).update();
  }
}
