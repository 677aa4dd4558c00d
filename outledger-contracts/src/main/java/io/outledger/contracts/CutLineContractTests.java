// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.Route;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** That a message at which the line breaks each time holds up no others, and is parked. */
abstract class CutLineContractTests extends PublisherContractTests {

  private static final String CUT = "cut-here";
  private static final Duration LONG = Duration.ofHours(1);

  /** A machine that is very busy takes long to open a client, and must not be taken for a fault. */
  private static final Duration DELIVERY_TIME_MAX = SHORT_DELIVERY_TIME_MAX.multipliedBy(2);

  private static final Duration PATIENCE = Duration.ofMinutes(8);

  private final TimeSource time = TimeSource.system();
  private final InMemoryLedger ledger = new InMemoryLedger(time);
  private final BlockingQueue<RelayEvent> events = new LinkedBlockingQueue<>();
  private final List<UUID> parked = new ArrayList<>();
  private final List<RelayEvent> told = new ArrayList<>();

  @Test
  void messageAtWhichTheLineBreaksEachTimeIsParkedAndAllOthersArriveInOrder()
      throws InterruptedException {
    List<Message> others = messages(50, 10);
    Message first = message("first");
    Message poison = message(CUT);
    RunningRelay relay = RunningRelay.start(relay(), "contract", time, Duration.ofSeconds(3));
    try {
      ledger.inNewTransaction(first);
      arrivalsOf(List.of(first));
      fixture().cutAt(CUT);
      List<Message> all = new ArrayList<>(others);
      all.add(0, poison);
      ledger.inNewTransaction(all.toArray(Message[]::new));
      awaitParkedAndPublished(others);
      assertArrivedInOrder(others);
      assertThat(parked).as("told: %s", told).containsExactly(poison.id());
    } finally {
      relay.close();
    }
  }

  /** Others come all the time; where all had got through with the poison, it waits for two more. */
  private void awaitParkedAndPublished(List<Message> others) throws InterruptedException {
    long until = time.nanoTime() + PATIENCE.toNanos();
    int published = 0;
    while (published <= others.size() || parked.isEmpty()) {
      assertThat(time.nanoTime() - until)
          .as("%s are published; told: %s", published, told)
          .isNegative();
      RelayEvent next = events.poll(1, TimeUnit.SECONDS);
      if (next != null && !(next instanceof RelayEvent.Saved)) {
        told.add(next);
      }
      if (next instanceof RelayEvent.Saved saved) {
        published += saved.published();
      } else if (next instanceof RelayEvent.Parked one) {
        parked.add(one.message().id());
      } else if (next == null && published > others.size()) {
        others.add(message("another"));
        ledger.inNewTransaction(others.get(others.size() - 1));
      }
    }
  }

  /** What is measured comes from a relay that rests, too, and would never leave the queue empty. */
  private void tell(RelayEvent event) {
    if (!(event instanceof RelayEvent.Measured)) {
      events.add(event);
    }
  }

  private Relay relay() {
    RetryPolicy retry = RetryPolicy.DEFAULT.withBackoff(new Backoff(LONG, LONG));
    Relay relay =
        new Relay(
            ledger.relayStore("contract", Start.EARLIEST),
            List.of(Route.only(fixture().publisher())),
            RelayOptions.builder().lease(DELIVERY_TIME_MAX.multipliedBy(2)).retry(retry).build(),
            this::tell,
            new Relay.Surroundings(time, new Random(1)));
    ledger.onCommit(relay.wakeup()::signal);
    return relay;
  }
}
