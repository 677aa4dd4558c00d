// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.testing.InMemoryTransaction;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A database tells who writes only in a look before the poll, so a writer may end in between. */
class SnapshotByLookTest {

  private final RelayBench bench = new RelayBench();

  @BeforeEach
  void look() {
    bench.looksBeforePolls = true;
  }

  @Test
  void messageOfAFillerThatEndsBetweenLookAndPollIsNotOvertakenByTheNextOfItsKey() {
    InMemoryTransaction late = bench.ledger.begin();
    late.append(RelayBench.message("k", 1));
    bench.append("other", 1, 1);
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 6); // its filler is known by now
      bench.before.put(
          "poll",
          () -> {
            late.commit();
            bench.append("k", 2, 2);
          });
      bench.steps(relay, 3);
    }
    assertThat(bench.published("k")).containsExactly("k1", "k2");
  }

  @Test
  void holeOfAFillerThatRollsBackBetweenLookAndPollIsDropped() {
    InMemoryTransaction late = bench.ledger.begin();
    late.append(RelayBench.message("k", 1));
    bench.append("other", 1, 1);
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 6);
      bench.before.put("poll", late::rollback);
      bench.steps(relay, 6);
    }
    assertThat(bench.events(RelayEvent.HolesDropped.class)).hasSize(1);
    assertThat(bench.ledger.subscription(RelayBench.SUBSCRIPTION).frontier().open())
        .matches(open -> open.isEmpty(), "nothing is open");
  }

  @Test
  void holeWaitsForAWriterAndNotForATransactionThatWritesElsewhere() {
    InMemoryTransaction elsewhere = bench.ledger.begin();
    elsewhere.writeElsewhere();
    InMemoryTransaction late = bench.ledger.begin();
    late.append(RelayBench.message("k", 1));
    bench.append("other", 1, 1);
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 6);
      assertThat(bench.events(RelayEvent.HolesDropped.class)).isEmpty();
      late.rollback();
      bench.clock.advance(Duration.ofSeconds(2));
      bench.steps(relay, 6);
      assertThat(bench.events(RelayEvent.HolesDropped.class)).hasSize(1);
    }
    elsewhere.rollback();
  }
}
