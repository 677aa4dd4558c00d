// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.payments;

import io.outledger.examples.springshop.Incoming;
import io.outledger.examples.springshop.events.OrderPlaced;
import io.outledger.spring.Inboxed;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Takes payments for orders, and gives them back where an order is cancelled. */
@Component
class PaymentService {

  private final Payments payments;
  private final Incoming incoming;

  PaymentService(Payments payments, Incoming incoming) {
    this.payments = payments;
    this.incoming = incoming;
  }

  /** Orders of one key arrive in order: none is cancelled before it is placed. */
  @KafkaListener(topics = "orders", groupId = "payments")
  @Inboxed(
      consumer = "payments",
      source = "orders",
      id = "#p0.headers().lastHeader('ce_id').value()")
  void onOrder(ConsumerRecord<String, byte[]> message) {
    switch (incoming.type(message)) {
      case "order.placed" -> pay(incoming.read(message, OrderPlaced.class));
      case "order.cancelled" -> payments.findById(message.key()).ifPresent(Payment::refund);
      default -> {}
    }
  }

  // An order of 0 cents stands for a bank that never answers: the time-out ends it.
  private void pay(OrderPlaced order) {
    if (order.cents() > 0) {
      payments.save(Payment.of(order.orderId(), order.cents()));
    }
  }
}
