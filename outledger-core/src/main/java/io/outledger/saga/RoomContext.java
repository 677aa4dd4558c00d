// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** What surrounds a message, taken from the room of its transaction. For one thread. */
record RoomContext(String key, SagaRoom room) implements SagaContext {

  @Override
  public List<UUID> append(Collection<?> eventsOrMessages) {
    return room.outbox().append(Require.nonNull("eventsOrMessages", eventsOrMessages));
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
