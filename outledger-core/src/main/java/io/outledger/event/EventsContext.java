// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The context given to the guards, enrichments and mappings of one append.
 *
 * @param events makes messages
 * @param resources what the outbox has of a type; null where it has none
 */
record EventsContext(Events events, Function<Class<?>, @Nullable Object> resources)
    implements AppendContext {

  @Override
  public <T> T resource(Class<T> type) {
    Object resource = resources.apply(type);
    if (resource == null) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "this outbox has no "
              + type.getName()
              + " to pass to a guard, an enrichment or a mapping; in a test, pass one to"
              + " InMemoryOutbox.with(…)");
    }
    return type.cast(resource);
  }

  @Override
  public Message message(Object event) {
    return events.message(event);
  }
}
