// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.publish.KeyOrder;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Route;
import io.outledger.store.CursorRow;
import io.outledger.store.Division;
import io.outledger.store.Page;
import io.outledger.store.Pauses;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The owner of a partition whose subscription is divided anew: it reads up to a position and no
 * further, and leaves with nothing in flight.
 */
class DividedRelayTest {

  private final RelayBench bench = new RelayBench(KeyOrder.ONE_AT_A_TIME);
  private @Nullable Division division;
  private long revision = 1;
  private Relay relay;

  @BeforeEach
  void open() {
    bench.options = RelayBench.options().polling(p -> p.withPageMessagesMax(4)).build();
    relay =
        new Relay(
            telling(bench.ledger.relayStore(RelayBench.SUBSCRIPTION, Start.EARLIEST)),
            List.of(Route.only(bench.publisher)),
            bench.options,
            bench.events::add,
            new Relay.Surroundings(bench.clock, bench.random));
  }

  @AfterEach
  void close() {
    relay.close();
  }

  /** A store that tells of the division as a database does. */
  private RelayStore telling(RelayStore store) {
    return (RelayStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RelayStore.class},
            (proxy, method, arguments) -> {
              try {
                Object reply = method.invoke(store, arguments);
                if (reply instanceof Page page) {
                  return told(page);
                }
                if (reply instanceof CursorRow row) {
                  return isReadUpToEnd() ? row.waiting("it is divided") : row;
                }
                return reply instanceof Pauses ? new Pauses(revision, Map.of(), division) : reply;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Page told(Page page) {
    return new Page(
        page.messages(),
        page.readTo(),
        page.withheld(),
        page.more(),
        page.snapshot(),
        page.newest(),
        page.declared(),
        revision,
        page.server());
  }

  private boolean isReadUpToEnd() {
    Division now = division;
    return now != null && frontier().high() >= now.upTo();
  }

  private void divide(@Nullable Division value) {
    division = value;
    revision++;
  }

  private Frontier frontier() {
    return bench.ledger.subscription(RelayBench.SUBSCRIPTION).frontier();
  }

  private boolean isOwner() {
    return relay.step().state() == StepReport.State.OWNER;
  }

  @Test
  void ownerThatLagsReadsUpToThePositionAndNoFurther() {
    bench.append("k", 1, 30);
    divide(new Division(4, 22));
    bench.steps(relay, 20);
    assertThat(isOwner()).isFalse();
    assertThat(frontier().high()).isEqualTo(22);
    assertThat(frontier().open().isEmpty()).isTrue();
    assertThat(bench.published()).hasSize(22).doesNotHaveDuplicates();
    assertThat(bench.events(RelayEvent.LeaseReleased.class)).hasSize(1);
    assertThat(bench.events(RelayEvent.StandsBy.class))
        .extracting(RelayEvent.StandsBy::reason)
        .containsExactly("it is divided");
  }

  @Test
  void nothingIsLostOrTwiceWhereTheDivisionIsCalledOff() {
    bench.append("k", 1, 30);
    divide(new Division(4, 10));
    bench.steps(relay, 10);
    assertThat(bench.published()).hasSize(10);
    divide(null);
    bench.clock.advance(Duration.ofSeconds(1));
    bench.steps(relay, 20);
    assertThat(isOwner()).isTrue();
    assertThat(bench.published()).hasSize(30).doesNotHaveDuplicates();
  }

  @Test
  void ownerThatHasReadFurtherKeepsWhatIsOpenAboveThePosition() {
    bench.append("k", 1, 9);
    InMemoryTransaction late = bench.ledger.begin();
    late.append(RelayBench.message("late", 1));
    bench.append("m", 1, 8);
    bench.steps(relay, 10);
    bench.publisher.holdOutcomes();
    bench.append("m", 9, 9);
    bench.steps(relay, 3); // which keeps it the owner
    divide(new Division(4, 5)); // of others that have not seen yet how far this one is
    bench.steps(relay, 2);
    late.commit();
    bench.steps(relay, 3);
    bench.publisher.releaseOutcomes();
    bench.steps(relay, 5);
    assertThat(bench.published()).hasSize(19).doesNotHaveDuplicates().contains("late1");
    assertThat(frontier()).isEqualTo(new Frontier(19, Positions.NONE));
    assertThat(isOwner()).isFalse();
  }

  @Test
  void itLeavesOnlyWhenWhatIsInFlightIsSettled() {
    bench.publisher.holdOutcomes();
    bench.append("k", 1, 3);
    bench.steps(relay, 3);
    divide(new Division(2, 3));
    bench.steps(relay, 5);
    assertThat(isOwner()).isTrue();
    bench.publisher.releaseOutcomes();
    bench.steps(relay, 10);
    assertThat(isOwner()).isFalse();
    assertThat(bench.published()).containsExactly("k1", "k2", "k3");
  }
}
