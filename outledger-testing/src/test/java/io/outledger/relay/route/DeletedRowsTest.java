// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.relay.RelayBench;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.context.Wakeup;
import io.outledger.relay.options.Route;
import io.outledger.store.LeaseGrant.BlockedKey;
import io.outledger.store.Pauses;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parked rows that somebody deletes while a relay owns the subscription. */
class DeletedRowsTest {

  private final RelayBench bench = new RelayBench(KeyOrder.ONE_AT_A_TIME);

  @Test
  void keyWhoseRowsSomebodyDeletedIsFreeWithTheNextSave() {
    RelayContext context =
        new RelayContext(
            bench.options,
            bench.clock,
            new Random(1),
            bench.events::add,
            new Wakeup(),
            bench.readAhead);
    PendingSave pendingSave = new PendingSave(1);
    Route only = Route.only(bench.publisher);
    LackedDeclarations lacked =
        new LackedDeclarations(bench.options.declaring(List.of(only)), false);
    RouteDispatcher route =
        new RouteDispatcher(
            only,
            context,
            new SharedByRoutes(
                pendingSave,
                lacked,
                new KnownPauses(),
                () -> true,
                RouteShare.of(bench.options, 1)));
    KeyBlocks keys = route.parking().keys();
    keys.load(new BlockedKey("", "a", 3, 0));
    try (RelayStore store = bench.ledger.relayStore(RelayBench.SUBSCRIPTION, Start.EARLIEST)) {
      store.look();
      new ParkedWork(
              store,
              context,
              pendingSave,
              Map.of("", route),
              new ParkedWork.Known(name -> route.parking(), () -> Pauses.NONE, 10))
          .bringBack(0);
    }
    keys.saved();
    assertThat(keys.isBlocked("a")).isFalse();
  }
}
