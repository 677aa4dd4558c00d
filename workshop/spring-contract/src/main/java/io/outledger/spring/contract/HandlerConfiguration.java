// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.Outbox;
import io.outledger.jdbc.EventContext;
import io.outledger.spring.boot.DeadLetter;
import io.outledger.spring.boot.DeadLetterListener;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.contract.shop.MailQueued;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.MDC;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Handlers of the application's own events. */
@Configuration(proxyBeanMethods = false)
public class HandlerConfiguration {

  /** Creates it. */
  public HandlerConfiguration() {}

  /** Handlers, each retried alone. */
  public static class Handlers {

    private final JdbcClient jdbc;
    private final Outbox outbox;
    private final Map<String, String> traces = new ConcurrentHashMap<>();
    private final Set<String> metAFullDisk = ConcurrentHashMap.newKeySet();

    Handlers(JdbcClient jdbc, Outbox outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    /** Stores that there is a mail to send, and announces it. */
    @OutboxHandler("mail")
    public void queueMail(OrderPlaced order, EventContext context) {
      String key = String.valueOf(context.key());
      jdbc.sql("INSERT INTO mails (order_id) VALUES (?)").param(key).update();
      outbox.append(new MailQueued(order.orderId()));
    }

    String trace(String orderId) {
      return traces.getOrDefault(orderId, "");
    }

    /** Fails for orders that cost nothing, and meets a full disk once for those that cost less. */
    @OutboxHandler("audit")
    void audit(OrderPlaced order) {
      traces.put(order.orderId(), String.valueOf(MDC.get("traceId")));
      jdbc.sql("INSERT INTO audits (order_id) VALUES (?)").param(order.orderId()).update();
      if (order.cents() == 0) {
        throw new IllegalStateException("an order that costs nothing");
      }
      if (order.cents() < 0 && metAFullDisk.add(order.orderId())) {
        jdbc.sql("DO $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$")
            .update();
      }
    }
  }

  /** Keeps dead letters for the test. */
  public static final class Letters implements DeadLetterListener {

    private final List<DeadLetter> letters = new ArrayList<>();

    @Override
    public synchronized void on(DeadLetter letter) {
      letters.add(letter);
    }

    synchronized List<DeadLetter> all() {
      return List.copyOf(letters);
    }
  }

  @Bean
  Handlers handlers(JdbcClient jdbc, Outbox outbox) {
    return new Handlers(jdbc, outbox);
  }

  @Bean
  Letters letters() {
    return new Letters();
  }
}
