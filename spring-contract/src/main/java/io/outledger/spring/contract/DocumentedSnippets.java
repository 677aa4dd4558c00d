// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jpa.DomainEventListener;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.receive.RunningReceiver;
import io.outledger.spring.Inboxed;
import io.outledger.spring.boot.EventTypesCustomizer;
import io.outledger.spring.contract.parcels.ParcelMoved;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.sql.Connection;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
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

    void write(Connection connection, OrderPlaced order);
  }

  interface Receipts {
    void write(String parcelId);
  }

  interface Ledger {
    void take(Payment payment);
  }

  private final Bills bills;
  private final Ledger ledger;
  private final PayloadSerializer serializer;

  DocumentedSnippets(Bills bills, Ledger ledger, PayloadSerializer serializer) {
    this.bills = bills;
    this.ledger = ledger;
    this.serializer = serializer;
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

  @KafkaListener(topics = "orders")
  @Inboxed(
      consumer = "billing",
      source = "orders",
      id = "#record.headers().lastHeader('ce_id').value()")
  void bill(ConsumerRecord<String, byte[]> record) {
    bills.write(serializer.read(record.value(), OrderPlaced.class));
  }

  @PostMapping("/payments")
  @Inboxed(consumer = "payments", source = "api", id = "#key")
  void pay(@RequestHeader("Idempotency-Key") String key, @RequestBody Payment payment) {
    ledger.take(payment);
  }

  @Bean
  RunningReceiver billing(Outledger outledger, Bills bills) {
    return KafkaReceiver.with(Map.of("bootstrap.servers", "kafka-1:9092", "group.id", "billing"))
        .topics("orders")
        .start(
            outledger
                .inbox("billing")
                .handler(
                    h ->
                        h.on(
                            OrderPlaced.class,
                            (order, context) -> bills.write(context.connection(), order))));
  }
}
