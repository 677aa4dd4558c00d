// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A way in which messages of a name and version are read: as which type, and by which upcasts.
 * Immutable.
 *
 * @param type the type that comes of it
 * @param upcasts from the payload's version to the type's, in order; all of one tree class
 */
record ReadAs(EventType<?> type, List<Upcast<?>> upcasts) {

  /**
   * Returns the payload as one of the type's own version; empty where it is of another type.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-015} if it cannot be read, or an upcast
   *     failed
   */
  Optional<byte[]> current(PayloadSerializer serializer, byte[] payload) {
    return upcasts.isEmpty()
        ? Optional.of(payload)
        : rewritten(serializer, payload, upcasts.get(0).tree());
  }

  private <T> Optional<byte[]> rewritten(
      PayloadSerializer serializer, byte[] payload, Class<T> tree) {
    return serializer.rewrite(payload, tree, given -> applied(given, tree));
  }

  private <T> @Nullable T applied(T given, Class<T> tree) {
    T now = given;
    for (Upcast<?> step : upcasts) {
      Object next = step.applied(now, type.eventClass());
      if (next == null) {
        return null;
      }
      now = tree.cast(next);
    }
    return now;
  }
}
