// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RaisedEventsTest {

  private final RaisedEvents events = new RaisedEvents();

  @Test
  void eventsAreListedInTheOrderRaised() {
    events.raise("first");
    events.raise("second");
    events.raise("first");
    assertThat(events.list()).containsExactly("first", "second", "first");
  }

  @Test
  void oneOccurrenceIsForgottenAndNotTheOthers() {
    events.raise("same");
    List<RaisedEvent> committed = events.raised();
    events.raise("same");
    events.remove(Identities.of(committed));
    assertThat(events.list()).containsExactly("same");
  }

  @Test
  void discardedEventsAreForgotten() {
    events.raise("first");
    events.discard();
    assertThat(events.list()).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without null checks may do
  void anEventIsSomething() {
    assertThatThrownBy(() -> events.raise(null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021 event must not be null");
  }

  @Test
  void anEntityWithoutItsListOfEventsIsNamed() {
    assertThatThrownBy(() -> OwnSource.INSTANCE.read(new Forgetful(), List.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Forgetful.domainEvents() returned null");
  }

  private static final class Forgetful implements HasDomainEvents {
    @Override
    @SuppressWarnings("NullAway") // the mistake
    public RaisedEvents domainEvents() {
      return null;
    }
  }
}
