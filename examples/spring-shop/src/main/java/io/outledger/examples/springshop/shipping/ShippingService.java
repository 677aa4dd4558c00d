// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.shipping;

import io.outledger.Outbox;
import io.outledger.examples.springshop.Incoming;
import io.outledger.examples.springshop.events.OrderPaid;
import io.outledger.examples.springshop.events.ParcelRefused;
import io.outledger.examples.springshop.events.ParcelShipped;
import io.outledger.spring.Inboxed;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Ships what is paid. It has no entity, so it appends its events by hand. */
@Component
class ShippingService {

  private final Outbox outbox;
  private final Incoming incoming;

  ShippingService(Outbox outbox, Incoming incoming) {
    this.outbox = outbox;
    this.incoming = incoming;
  }

  @KafkaListener(topics = "orders", groupId = "shipping")
  @Inboxed(
      consumer = "shipping",
      source = "orders",
      id = "#p0.headers().lastHeader('ce_id').value()")
  void onOrder(ConsumerRecord<String, byte[]> message) {
    if (!incoming.type(message).equals("order.paid")) {
      return;
    }
    OrderPaid order = incoming.read(message, OrderPaid.class);
    if (order.address().isEmpty()) {
      outbox.append(new ParcelRefused(order.orderId(), "no address"));
    } else {
      outbox.append(new ParcelShipped(order.orderId()));
    }
  }
}
