// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.event.ContextPropagator;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jpa.DomainEventListener;
import io.outledger.publish.Publisher;
import io.outledger.spring.Inboxed;
import io.outledger.spring.boot.EventTypesCustomizer;
import io.outledger.spring.boot.InboxListener;
import io.outledger.spring.contract.parcels.ParcelMoved;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;

/** What docs/spring.md shows and no test runs: it is compiled. */
abstract class DocumentedSnippets {

  /** An event without an annotation. */
  record OrderCancelled(String orderId) {}

  /** What a request brings. */
  record Payment(long cents) {}

  interface Bills {
    void write(OrderPlaced order);
  }

  interface Receipts {
    void write(String parcelId);
  }

  interface Ledger {
    void take(Payment payment);
  }

  private final Logger log = LoggerFactory.getLogger(DocumentedSnippets.class);
  private final Bills bills;
  private final Ledger ledger;
  private final PayloadSerializer serializer;

  DocumentedSnippets(Bills bills, Ledger ledger, PayloadSerializer serializer) {
    this.bills = bills;
    this.ledger = ledger;
    this.serializer = serializer;
  }

  /** Knows the targets of a data source that routes. */
  interface Tenants {
    List<DataSource> dataSources();
  }

  @Bean
  AutoCloseable tenantRelays(Tenants tenants, Publisher publisher) {
    List<Outledger> open = new ArrayList<>();
    for (DataSource target : tenants.dataSources()) {
      Outledger outledger = Outledger.builder(target).build();
      outledger.relay("kafka").to(publisher).start();
      open.add(outledger);
    }
    return () -> open.forEach(Outledger::close);
  }

  @Bean(defaultCandidate = false)
  DataSource relayDataSource(JdbcConnectionDetails database) {
    return new DriverManagerDataSource(
        database.getJdbcUrl(), database.getUsername(), database.getPassword());
  }

  @Bean
  EventTypesCustomizer orderEvents() {
    return types ->
        types.register(
            OrderCancelled.class,
            type -> type.name("order.cancelled").topic("orders").key(OrderCancelled::orderId));
  }

  @Bean
  DomainEventListener<ParcelMoved> receipts(Receipts receipts) {
    return (moved, entityManager) -> receipts.write(moved.id());
  }

  @InboxListener("billing")
  void bill(OrderPlaced order) {
    bills.write(order);
  }

  @KafkaListener(topics = "orders")
  @Inboxed(consumer = "billing")
  void bill(ConsumerRecord<String, byte[]> record) {
    bills.write(serializer.read(record.value(), OrderPlaced.class));
  }

  @PostMapping("/payments")
  @Inboxed(consumer = "payments", source = "api", id = "#user.name + '\n' + #key")
  void pay(
      Principal user, @RequestHeader("Idempotency-Key") String key, @RequestBody Payment payment) {
    ledger.take(payment);
  }

  @Bean
  DefaultErrorHandler errorHandler() {
    DefaultErrorHandler handler =
        new DefaultErrorHandler(new FixedBackOff(1000, FixedBackOff.UNLIMITED_ATTEMPTS));
    handler.setClassifications(Map.of(), true);
    return handler;
  }

  @Bean
  ContainerCustomizer<SimpleMessageListenerContainer> keeping() {
    return container ->
        container.setErrorHandler(failure -> log.warn("will be delivered again", failure));
  }

  /** The tenant of a thread. */
  interface Tenant {
    static @Nullable String current() {
      return null;
    }

    static void set(@Nullable String tenant) {}

    static void clear() {}
  }

  @Bean
  ContextPropagator tenants() {
    return new ContextPropagator() {
      @Override
      public Map<String, String> capture() {
        String tenant = Tenant.current();
        return tenant == null ? Map.of() : Map.of("tenant", tenant);
      }

      @Override
      public void restore(Map<String, String> headers, Handling handling) throws Exception {
        Tenant.set(headers.get("tenant"));
        try {
          handling.run();
        } finally {
          Tenant.clear();
        }
      }
    };
  }
}
