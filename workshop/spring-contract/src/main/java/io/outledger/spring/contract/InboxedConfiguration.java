// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.Outbox;
import io.outledger.spring.Inboxed;
import io.outledger.spring.contract.shop.MailQueued;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A consumer whose messages may come more than once. */
@Configuration(proxyBeanMethods = false)
public class InboxedConfiguration {

  /** Creates it. */
  public InboxedConfiguration() {}

  /** Takes payments by their idempotency key. */
  public static class Payments {

    private final JdbcClient jdbc;
    private final Outbox outbox;

    Payments(JdbcClient jdbc, Outbox outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    /** Takes one, and announces it. */
    @Inboxed(consumer = "payments", source = "api", id = "#p0")
    public String pay(String key, boolean isGood) {
      jdbc.sql("INSERT INTO payments (order_id) VALUES (?)").param(key).update();
      outbox.append(new MailQueued(key));
      if (!isGood) {
        throw new IllegalArgumentException("a bad payment");
      }
      return "paid";
    }
  }

  @Bean
  Payments payments(JdbcClient jdbc, Outbox outbox) {
    return new Payments(jdbc, outbox);
  }
}
