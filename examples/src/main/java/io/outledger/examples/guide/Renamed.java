// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.outledger.event.EventTypes;
import java.util.List;

/** A type and a field with new names, and a sealed type inside an event. */
final class Renamed {

  private Renamed() {}

  record OrderCreated(String orderId, @JsonAlias("cents") int totalInCents) {}

  static void events(EventTypes.Builder events) {
    events.register(
        OrderCreated.class,
        type ->
            type.name("order.created")
                .formerly("order.placed")
                .topic("orders")
                .key(OrderCreated::orderId));
  }

  record OrderChanged(String orderId, List<Change> changes) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  sealed interface Change permits Moved, Gifted {}

  @JsonTypeName("moved")
  record Moved(String address) implements Change {}

  @JsonTypeName("gifted")
  record Gifted(String wrapping) implements Change {}
}
