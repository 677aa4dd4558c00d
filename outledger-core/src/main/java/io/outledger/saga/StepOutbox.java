// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.ConfigurationException;
import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Outbox;
import io.outledger.Require;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What a saga's handlers append to: all but the saga's own time-outs, which would find no saga
 * without a name.
 *
 * @param outbox that of the transaction
 * @param timeouts the classes of the saga's time-outs
 */
record StepOutbox(Outbox outbox, Set<Class<?>> timeouts) implements Outbox {

  @Override
  public List<UUID> append(Collection<?> eventsOrMessages) {
    Require.nonNull("eventsOrMessages", eventsOrMessages).forEach(this::check);
    return outbox.append(eventsOrMessages);
  }

  @Override
  public UUID append(Object event, Delivery when) {
    check(Require.nonNull("event", event));
    return outbox.append(event, when);
  }

  @Override
  public boolean cancel(UUID id) {
    return outbox.cancel(id);
  }

  @Override
  public boolean cancel(String name) {
    return outbox.cancel(name);
  }

  private void check(Object event) {
    if (event != null && timeouts.contains(event.getClass())) {
      throw new ConfigurationException(
          ErrorCode.INVALID_SAGA,
          "a step appends a "
              + event.getClass().getName()
              + ", which is a time-out; schedule it by timeoutAfter(…) or timeoutAt(…)");
    }
  }
}
