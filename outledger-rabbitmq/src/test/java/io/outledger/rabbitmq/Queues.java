// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import io.outledger.inbox.Received;
import java.util.ArrayList;
import java.util.List;

/** What lies in queues. */
final class Queues {

  private static final RabbitBinding.Reader READER = new RabbitBinding.Reader();

  private Queues() {}

  /** Takes everything that is in a queue, in its order. */
  static List<Received> take(String queue) {
    return SharedRabbit.on(
        channel -> {
          List<Received> taken = new ArrayList<>();
          for (GetResponse next = channel.basicGet(queue, true);
              next != null;
              next = channel.basicGet(queue, true)) {
            Delivery delivery = new Delivery(next.getEnvelope(), next.getProps(), next.getBody());
            long tag = next.getEnvelope().getDeliveryTag();
            RabbitDeliveries.Place place = new RabbitDeliveries.Place(queue, tag);
            taken.add(RabbitDeliveries.read(READER, place, delivery, null));
          }
          return taken;
        });
  }
}
