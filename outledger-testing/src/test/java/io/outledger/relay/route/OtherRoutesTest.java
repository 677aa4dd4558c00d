// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.RelayBench;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.context.Wakeup;
import io.outledger.relay.options.Route;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedState;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the owner remembers of routes that it does not have. */
class OtherRoutesTest {

  private static final Declaration REFUNDS =
      new Declaration("refunds", Declaration.Takes.EVERYTHING, "");

  private final RelayBench bench = new RelayBench();
  private final PendingSave pendingSave = new PendingSave(1);
  private final LackedDeclarations lacked =
      new LackedDeclarations(bench.options.declaring(List.of(Route.only(bench.publisher))), false);
  private final OtherRoutes others =
      new OtherRoutes(
          new RelayContext(
              bench.options,
              bench.clock,
              new Random(1),
              bench.events::add,
              new Wakeup(),
              bench.readAhead),
          new SharedByRoutes(
              pendingSave, lacked, new KnownPauses(), () -> true, RouteShare.of(bench.options, 1)),
          10);

  private List<ParkedState> park(int from, int to) {
    for (int i = from; i <= to; i++) {
      others.park(new LedgerMessage(i, RelayBench.message("k" + i, i)), REFUNDS);
    }
    List<ParkedState> states =
        pendingSave.changes().stream()
            .map(change -> ((ParkedChange.Park) change).message().state())
            .toList();
    pendingSave.saved();
    others.saved();
    return states;
  }

  private KeyBlocks keys() {
    return others.get("refunds").keys();
  }

  @Test
  void ofMoreKeysThanItMayRememberEachIsHeldAndNoneRemembered() {
    assertThat(park(1, 10)).containsOnly(ParkedState.RETRYING).hasSize(10);
    assertThat(park(11, 500)).containsOnly(ParkedState.HELD).hasSize(490);
    assertThat(park(5, 5)).containsOnly(ParkedState.HELD);
    assertThat(keys().keys()).isEqualTo(10);
  }

  @Test
  void whereKeysWereNotLoadedEachMayBeOneOfThem() {
    lacked.take(new Declarations(1, Map.of(REFUNDS, 1L)), 0);
    others.learn(route -> true);
    assertThat(park(1, 3)).containsOnly(ParkedState.HELD).hasSize(3);
    assertThat(keys().keys()).isZero();
    others.learn(route -> false);
    assertThat(park(4, 4)).as("it is asked once").containsOnly(ParkedState.HELD);
  }
}
