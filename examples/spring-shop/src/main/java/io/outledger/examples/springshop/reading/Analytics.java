// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.reading;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.spring.Inboxed;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.stereotype.Component;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Counts what happens, by type, whatever the type: in a container of Spring Kafka, which needs no
 * class of events. The inbox keeps a message that is delivered twice from counting twice.
 */
@Component
class Analytics {

  private static final String COUNT =
      """
      INSERT INTO shop_count (type, total) VALUES (?, 1)
      ON CONFLICT (type) DO UPDATE SET total = shop_count.total + 1
      """;

  private final JdbcClient jdbc;

  Analytics(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @KafkaListener(
      topics = {"orders", "payments", "shipments"},
      groupId = "analytics")
  @Inboxed(consumer = "analytics")
  void onAnything(ConsumerRecord<String, byte[]> message) {
    String type = new String(message.headers().lastHeader("ce_type").value(), UTF_8);
    jdbc.sql(COUNT).param(type).update();
  }

  /**
   * Has the container keep a record until it is counted: by default it would give it up, and some
   * exceptions at once.
   */
  @Configuration(proxyBeanMethods = false)
  static class Keeping {

    @Bean
    DefaultErrorHandler errorHandler() {
      DefaultErrorHandler handler =
          new DefaultErrorHandler(new FixedBackOff(1000, FixedBackOff.UNLIMITED_ATTEMPTS));
      handler.setClassifications(Map.of(), true);
      return handler;
    }
  }
}
