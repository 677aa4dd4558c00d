// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.Outbox;
import io.outledger.Require;
import io.outledger.time.TimeSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a step works with: the parts of one transaction. For one thread.
 *
 * @param store the sagas
 * @param outbox takes what the step appends, schedules and cancels
 * @param resources what the step has of a type; null where it has nothing
 * @param time tells when a time-out is about due, for people
 */
public record SagaRoom(
    SagaStore store,
    Outbox outbox,
    Function<Class<?>, @Nullable Object> resources,
    TimeSource time) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public SagaRoom {
    Require.nonNull("store", store);
    Require.nonNull("outbox", outbox);
    Require.nonNull("resources", resources);
    Require.nonNull("time", time);
  }
}
