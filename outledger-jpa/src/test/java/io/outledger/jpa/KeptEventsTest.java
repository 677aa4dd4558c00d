// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept for entities, which are told apart by identity. */
class KeptEventsTest {

  private final KeptEvents kept = new KeptEvents();

  private record Equal(String id) {}

  @Test
  void eventsAreKeptForOneInstanceUntilNoneAreLeft() {
    Equal entity = new Equal("e-1");
    kept.keep(entity, List.of("one"));
    kept.keep(entity, List.of("one", "two"));
    assertThat(kept.of(entity)).containsExactly("one", "two");
    assertThat(kept.of(new Equal("e-1"))).isEmpty();
    kept.keep(entity, List.of());
    assertThat(kept.of(entity)).isEmpty();
  }

  @Test
  void thereIsALimit() {
    List<Equal> entities = new ArrayList<>();
    for (int i = 0; i < KeptEvents.ENTITIES_MAX + 1; i++) {
      entities.add(new Equal("e-" + i));
      kept.keep(entities.get(i), List.of("kept"));
    }
    Equal last = entities.get(KeptEvents.ENTITIES_MAX);
    assertThat(kept.of(last)).isEmpty();
    kept.keep(entities.get(0), List.of("others"));
    assertThat(kept.of(entities.get(0))).containsExactly("others");
    kept.keep(entities.get(1), List.of());
    kept.keep(last, List.of("kept"));
    assertThat(kept.of(last)).containsExactly("kept");
  }
}
