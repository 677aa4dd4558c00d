// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.List;
import java.util.Objects;

/** Entities that implement {@link HasDomainEvents}. */
final class OwnSource implements EventSource {

  static final OwnSource INSTANCE = new OwnSource();

  private OwnSource() {}

  @Override
  public List<RaisedEvent> read(Object entity, List<RaisedEvent> known) {
    return events(entity).raised();
  }

  @Override
  public boolean forgetsOnlyWhatWasDiscarded() {
    return true;
  }

  @Override
  public boolean keepsTheOrder() {
    return true;
  }

  @Override
  public void rolledBack(Object entity, List<RaisedEvent> captured) {
    // The entity has kept what the application did not discard.
  }

  @Override
  public void forget(Object entity, List<RaisedEvent> committed) {
    events(entity).remove(Identities.of(committed));
  }

  private static RaisedEvents events(Object entity) {
    RaisedEvents events = ((HasDomainEvents) entity).domainEvents();
    if (Objects.isNull(events)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          entity.getClass().getName()
              + ".domainEvents() returned null; return one RaisedEvents that the entity keeps in a"
              + " field marked @Transient");
    }
    return events;
  }
}
