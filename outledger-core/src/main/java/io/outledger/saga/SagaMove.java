// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one class of events does with a saga. Immutable.
 *
 * @param starts whether it starts a saga that is not there
 * @param eventClass the class, matched exactly
 * @param key finds the key of the saga in an event; null for a time-out, whose message carries it
 * @param handler does it
 */
record SagaMove<S, E>(
    boolean starts,
    Class<E> eventClass,
    @Nullable Function<? super E, ? extends @Nullable String> key,
    SagaHandler<S, ? super E> handler) {

  boolean isTimeout() {
    return key == null;
  }

  @Nullable String keyOf(Object event) {
    return key == null ? null : key.apply(eventClass.cast(event));
  }

  void handle(Object event, SagaStep<S> step) throws Exception {
    handler.handle(eventClass.cast(event), step);
  }
}
