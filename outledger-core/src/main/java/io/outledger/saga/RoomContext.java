// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Outbox;
import io.outledger.Require;
import java.util.Set;

/**
 * What surrounds a message, taken from the room of its transaction. For one thread.
 *
 * @param timeouts the classes of the saga's time-outs
 */
record RoomContext(String key, SagaRoom room, Set<Class<?>> timeouts) implements SagaContext {

  @Override
  public Outbox outbox() {
    return new StepOutbox(room.outbox(), timeouts);
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
