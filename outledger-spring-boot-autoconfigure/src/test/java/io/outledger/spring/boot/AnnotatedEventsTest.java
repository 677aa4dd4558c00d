// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.EventTypes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.StandardEnvironment;

class AnnotatedEventsTest {

  @OutboxEvent(
      name = "order.created",
      formerly = {"order.placed", "order.new"},
      topic = "orders",
      key = "orderId")
  record OrderCreated(String orderId) {}

  @Test
  void aMessageWithAFormerNameIsOfTheClass() {
    EventTypes.Builder builder = EventTypes.builder();
    new AnnotatedEvents(List.of(OrderCreated.class), new StandardEnvironment()).customize(builder);
    EventTypes types = builder.build();
    for (String name : List.of("order.created", "order.placed", "order.new")) {
      assertThat(types.of(name, 1)).contains(types.of(OrderCreated.class));
    }
  }
}
