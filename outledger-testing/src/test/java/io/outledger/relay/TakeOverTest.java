// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Transforms;
import io.outledger.store.LeaseGrant;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class TakeOverTest {

  private final RelayBench bench = new RelayBench();

  /** An owner of today leaves no such rows; who takes over trusts nobody to have been one. */
  @Test
  void heldMessageIsNotTriedBeforeAnEarlierOneOfItsKeyThatIsStillToBeRead() {
    bench.options = RelayBench.options().polling(p -> p.withPageBytesMax(1)).build();
    bench.append("z", 1, 1);
    bench.append("a", 1, 2);
    leaveHeldWithAllBeforeItOpen(3);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(1);
    bench.publisher.holdOutcomes();
    Relay successor = bench.relay();
    bench.steps(successor, 1);
    bench.clock.advance(RelayBench.LEASE);
    bench.steps(successor, 10);
    bench.publisher.releaseOutcomes();
    bench.steps(successor, 10);
    assertThat(bench.published()).containsExactly("z1", "a1", "a2");
    assertThat(bench.parked()).isEmpty();
  }

  /** The transforms have used up the time until the lease has to be renewed. */
  @Test
  void heldMessageIsNotTriedBeforeAnEarlierOneOfItsKeyThatIsReadAndNotDispatched() {
    Predicate<Message> slow =
        message -> {
          boolean isWanted = "a".equals(message.key());
          bench.clock.advance(isWanted ? Duration.ZERO : RelayBench.LEASE.dividedBy(2));
          return isWanted;
        };
    bench.options =
        RelayBench.options()
            .transforms(Transforms.NONE.withFilter(Accepts.rule("slow", slow)))
            .build();
    bench.append("z", 1, 1);
    bench.append("a", 1, 2);
    leaveHeldWithAllBeforeItOpen(3);
    Relay successor = bench.relay();
    bench.steps(successor, 1);
    bench.clock.advance(RelayBench.LEASE);
    bench.steps(successor, 20);
    assertThat(bench.published()).containsExactly("a1", "a2");
    assertThat(bench.parked()).isEmpty();
  }

  private void leaveHeldWithAllBeforeItOpen(long position) {
    UUID owner = UUID.randomUUID();
    try (RelayStore store = bench.ledger.relayStore(RelayBench.SUBSCRIPTION, Start.EARLIEST)) {
      LeaseGrant grant =
          store.takeOver(store.look(), owner, RelayBench.LEASE, () -> {}).orElseThrow();
      store.poll(new PollRequest(0, 10, 1 << 20, Positions.NONE));
      ParkedMessage held =
          new ParkedMessage(
              position,
              "",
              RelayBench.message("a", 2),
              ParkedState.HELD,
              0,
              true,
              null,
              false,
              0,
              null);
      store.save(
          new Save(
              grant.n(),
              owner,
              grant.server(),
              RelayBench.LEASE,
              new Frontier(position, Positions.range(1, position - 1)),
              Positions.NONE,
              Positions.NONE,
              List.of(new ParkedChange.Park(held, null, null)),
              null,
              Set.of()));
    }
  }
}
