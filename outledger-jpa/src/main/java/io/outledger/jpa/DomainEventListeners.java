// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Require;
import io.outledger.StoreException;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects what is done with domain events inside their transaction, when a capture is installed.
 * Not thread-safe.
 */
public final class DomainEventListeners {

  private final List<Entry<?>> entries;

  DomainEventListeners() {
    this(new ArrayList<>());
  }

  private DomainEventListeners(List<Entry<?>> entries) {
    this.entries = entries;
  }

  private record Entry<E>(Class<E> type, DomainEventListener<? super E> listener) {

    boolean tell(Object event, EntityManager entityManager) throws Exception {
      if (!type.isInstance(event)) {
        return false;
      }
      listener.handle(type.cast(event), entityManager);
      return true;
    }
  }

  /**
   * Names events and what is done with them. Listeners of one event run in the order in which they
   * were named; a listener needs no registered event type.
   *
   * @param type the class of the events, or any supertype: {@code Object.class} for all
   * @param listener what is done with each
   */
  public <E> DomainEventListeners on(Class<E> type, DomainEventListener<? super E> listener) {
    entries.add(new Entry<>(Require.nonNull("type", type), Require.nonNull("listener", listener)));
    return this;
  }

  DomainEventListeners copy() {
    return new DomainEventListeners(List.copyOf(entries));
  }

  /** Returns whether anybody listened. */
  boolean tell(Object event, EntityManager entityManager) {
    boolean heard = false;
    if (event instanceof Message || event instanceof Message.Builder) {
      return false;
    }
    for (Entry<?> each : entries) {
      try {
        heard |= each.tell(event, entityManager);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        throw new StoreException(
            ErrorCode.STORE_FAILED,
            "a listener of " + event.getClass().getName() + " failed; roll the transaction back",
            e);
      }
    }
    return heard;
  }
}
