// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.Delivery;
import io.outledger.Outbox;
import jakarta.persistence.EntityManager;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** The outbox of an entity manager. Used by one thread at a time, as that is. */
record SessionOutbox(JpaOutbox outbox, EntityManager entityManager) implements Outbox {

  @Override
  public List<UUID> append(Collection<?> eventsOrMessages) {
    return outbox.append(entityManager, eventsOrMessages);
  }

  @Override
  public UUID append(Object event, Delivery when) {
    return outbox.append(entityManager, event, when);
  }

  @Override
  public boolean cancel(UUID id) {
    return outbox.cancel(entityManager, id);
  }

  @Override
  public boolean cancel(String name) {
    return outbox.cancel(entityManager, name);
  }
}
