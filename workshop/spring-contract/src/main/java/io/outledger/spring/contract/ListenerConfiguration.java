// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.Outbox;
import io.outledger.event.ContextPropagator;
import io.outledger.jdbc.EventContext;
import io.outledger.spring.boot.InboxListener;
import io.outledger.spring.contract.shop.MailQueued;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A service that receives orders from another one, for several tenants. */
@Configuration(proxyBeanMethods = false)
public class ListenerConfiguration {

  /** Creates it. */
  public ListenerConfiguration() {}

  /** Writes bills. */
  public static class Billing {

    private final JdbcClient jdbc;
    private final Outbox outbox;
    private final Tenant tenant;
    private final List<Integer> attempts = new ArrayList<>();

    Billing(JdbcClient jdbc, Outbox outbox, Tenant tenant) {
      this.jdbc = jdbc;
      this.outbox = outbox;
      this.tenant = tenant;
    }

    /** Writes a bill, and announces it. */
    @InboxListener("billing")
    public void bill(OrderPlaced order, EventContext context) {
      synchronized (attempts) {
        attempts.add(context.attempt().orElse(0));
      }
      jdbc.sql("INSERT INTO payments (order_id) VALUES (?)").param(order.orderId()).update();
      outbox.append(new MailQueued(order.orderId()));
      if (order.cents() < 0) {
        throw new IllegalArgumentException("a negative bill");
      }
    }

    /** Stores for which tenant a mail was queued. */
    @InboxListener("billing")
    @Transactional
    void remember(MailQueued mail) {
      jdbc.sql("INSERT INTO audits (order_id) VALUES (?)")
          .param(mail.orderId() + " of " + tenant.current())
          .update();
    }

    List<Integer> attempts() {
      synchronized (attempts) {
        return List.copyOf(attempts);
      }
    }
  }

  /** The tenant of a thread, as headers carry it. */
  public static final class Tenant implements ContextPropagator {

    private final ThreadLocal<@Nullable String> current = new ThreadLocal<>();

    @Nullable String current() {
      return current.get();
    }

    void set(@Nullable String tenant) {
      current.set(tenant);
    }

    @Override
    public Map<String, String> capture() {
      String tenant = current.get();
      return tenant == null ? Map.of() : Map.of("tenant", tenant);
    }

    @Override
    public void restore(Map<String, String> headers, Handling handling) throws Exception {
      if (TransactionSynchronizationManager.isActualTransactionActive()) {
        throw new IllegalStateException("a transaction has begun before its tenant is known");
      }
      current.set(headers.get("tenant"));
      try {
        handling.run();
      } finally {
        current.remove();
      }
    }
  }

  @Bean
  MemoryReceiver billing() {
    return new MemoryReceiver();
  }

  @Bean
  Tenant tenant() {
    return new Tenant();
  }

  @Bean
  Billing billingService(JdbcClient jdbc, Outbox outbox, Tenant tenant) {
    return new Billing(jdbc, outbox, tenant);
  }
}
