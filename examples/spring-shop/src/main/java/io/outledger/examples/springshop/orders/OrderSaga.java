// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.orders;

import io.outledger.examples.springshop.Incoming;
import io.outledger.examples.springshop.events.ParcelRefused;
import io.outledger.examples.springshop.events.PaymentRefused;
import io.outledger.spring.Inboxed;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Takes each order to its next step when another service has done its part. */
@Component
class OrderSaga {

  private final Orders orders;
  private final Incoming incoming;

  OrderSaga(Orders orders, Incoming incoming) {
    this.orders = orders;
    this.incoming = incoming;
  }

  /** Takes effect once, however often Kafka delivers the message. */
  @KafkaListener(topics = "payments", groupId = "orders")
  @Inboxed(
      consumer = "orders",
      source = "payments",
      id = "#p0.headers().lastHeader('ce_id').value()")
  void onPayment(ConsumerRecord<String, byte[]> message) {
    Order order = orders.findById(message.key()).orElseThrow();
    switch (incoming.type(message)) {
      case "payment.taken" -> order.paid();
      case "payment.refused" -> order.cancel(incoming.read(message, PaymentRefused.class).reason());
      default -> {}
    }
  }

  /** The same for shipments. */
  @KafkaListener(topics = "shipments", groupId = "orders")
  @Inboxed(
      consumer = "orders",
      source = "shipments",
      id = "#p0.headers().lastHeader('ce_id').value()")
  void onParcel(ConsumerRecord<String, byte[]> message) {
    Order order = orders.findById(message.key()).orElseThrow();
    switch (incoming.type(message)) {
      case "parcel.shipped" -> order.shipped();
      case "parcel.refused" -> order.cancel(incoming.read(message, ParcelRefused.class).reason());
      default -> {}
    }
  }
}
