// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.ConfigurationException;
import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** What surrounds a message, taken from the room of its transaction. For one thread. */
record RoomContext(String key, SagaRoom room) implements SagaContext {

  @Override
  public List<UUID> append(Collection<?> eventsOrMessages) {
    for (Object each : Require.nonNull("eventsOrMessages", eventsOrMessages)) {
      if (each instanceof Delivery) {
        throw new ConfigurationException(
            ErrorCode.INVALID_SAGA,
            "saga of "
                + key
                + ": a step appends a Delivery, which is no event. What the saga itself is to get"
                + " later, it schedules by timeoutAfter(…) or timeoutAt(…); another event, by the"
                + " outbox of resource(EventContext.class)");
      }
    }
    return room.outbox().append(eventsOrMessages);
  }

  @Override
  public <T> T resource(Class<T> type) {
    Object found = room.resources().apply(Require.nonNull("type", type));
    if (found == null) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "a saga asks for a "
              + type.getName()
              + ", and where it runs there is none; in a test, give it one");
    }
    return type.cast(found);
  }
}
