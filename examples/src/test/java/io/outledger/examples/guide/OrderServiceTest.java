// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.testing.InMemoryOutbox;
import org.junit.jupiter.api.Test;

class OrderServiceTest {

  @Test
  void placingAnOrderTellsOfIt() {
    var types = EventTypes.builder();
    Wiring.events(types);
    var events = Events.builder().types(types.build()).serializer(JacksonSerializer.create());
    var outbox = new InMemoryOutbox(events.build());

    new OrderService(outbox).place("o-1", 1990);

    assertThat(outbox.events(OrderPlaced.class)).containsExactly(new OrderPlaced("o-1", 1990));
    assertThat(outbox.messages("orders").get(0).key()).isEqualTo("o-1");
  }
}
