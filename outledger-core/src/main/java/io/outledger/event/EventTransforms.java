// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.OutledgerException;
import io.outledger.StoreException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps an event of one class passes while it is appended: guard, enrichment, mapping.
 * Immutable.
 *
 * @param eventClass the class of the event
 * @param guard refuses; null where nothing is refused
 * @param enrichment adds what the event lacks; null where that is nothing
 * @param mapping says what is published; null where that is the event
 */
record EventTransforms<E>(
    Class<E> eventClass,
    @Nullable EventGuard<? super E> guard,
    @Nullable EventEnrichment<E> enrichment,
    @Nullable EventMapping<? super E> mapping) {

  /** A transform of the application's. */
  private interface Transform<T extends @Nullable Object> {
    T take() throws Exception;
  }

  boolean isEmpty() {
    return guard == null && enrichment == null && mapping == null;
  }

  /**
   * Returns everything to be published of an event: events of registered classes, and messages.
   *
   * @throws InvalidMessageException {@code OUT-024} if the guard refuses it, {@code OUT-014} if a
   *     transform returns null
   * @throws StoreException {@code OUT-027} if a transform throws what is not a runtime exception
   */
  Collection<?> published(Object given, AppendContext context) {
    E event = eventClass.cast(given);
    if (guard != null) {
      require(guard, event, context);
    }
    E enriched =
        enrichment == null ? event : take("enrichment", () -> enrichment.enrich(event, context));
    return mapping == null
        ? List.of(enriched)
        : take("mapping", () -> mapping.map(enriched, context));
  }

  private void require(EventGuard<? super E> door, E event, AppendContext context) {
    take("guard", () -> door.refusal(event, context))
        .ifPresent(
            reason -> {
              throw new InvalidMessageException(
                  ErrorCode.GUARD_REFUSED,
                  "the guard of " + eventClass.getName() + " refused the event: " + reason);
            });
  }

  private <T> T take(String what, Transform<T> transform) {
    T result;
    try {
      result = transform.take();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw failed(what, e);
    }
    if (result == null) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE, the(what) + " returned null but must return a value");
    }
    return result;
  }

  private OutledgerException failed(String what, Exception cause) {
    return new StoreException(
        ErrorCode.STORE_FAILED, the(what) + " failed; roll the transaction back", cause);
  }

  private String the(String what) {
    return "the " + what + " of " + eventClass.getName();
  }
}
