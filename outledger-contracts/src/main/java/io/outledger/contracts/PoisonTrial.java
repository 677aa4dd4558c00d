// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.publish.Publisher;
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
import java.util.function.Supplier;

/**
 * A running relay of a ledger in memory to one destination, at which one message fails each time as
 * if the destination were away. That message must be parked, and all others must be published. For
 * an implementer's own tests too. For one thread.
 */
public final class PoisonTrial implements AutoCloseable {

  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  private final TimeSource time = TimeSource.system();
  private final InMemoryLedger ledger = new InMemoryLedger(time);
  private final BlockingQueue<RelayEvent> events = new LinkedBlockingQueue<>();
  private final List<RelayEvent> told = new ArrayList<>();
  private final List<UUID> parked = new ArrayList<>();
  private final RunningRelay running;
  private int appended;
  private int published;

  private PoisonTrial(Publisher publisher, Duration lease) {
    running = RunningRelay.start(relay(publisher, lease), "poison", time, CLOSE_MAX);
  }

  /**
   * Starts a relay whose ledger is empty.
   *
   * @param publisher the way to the destination
   * @param deliveryTimeMax how long a delivery may take
   */
  public static PoisonTrial start(Publisher publisher, Duration deliveryTimeMax) {
    Require.nonNull("publisher", publisher);
    Require.nonNull("deliveryTimeMax", deliveryTimeMax);
    return new PoisonTrial(publisher, deliveryTimeMax.multipliedBy(2));
  }

  private Relay relay(Publisher publisher, Duration lease) {
    RetryPolicy retry = RetryPolicy.DEFAULT.withBackoff(new Backoff(LONG, LONG));
    Relay relay =
        new Relay(
            ledger.relayStore("poison", Start.EARLIEST),
            List.of(Route.only(publisher)),
            RelayOptions.builder().lease(lease).retry(retry).build(),
            this::tell,
            new Relay.Surroundings(time, new Random(1)));
    ledger.onCommit(relay.wakeup()::signal);
    return relay;
  }

  /** What is measured comes from a relay that rests, too, and would never leave the queue empty. */
  private void tell(RelayEvent event) {
    if (!(event instanceof RelayEvent.Measured)) {
      events.add(event);
    }
  }

  /** Appends messages to the ledger, in one transaction. */
  public void append(List<Message> messages) {
    Require.nonNull("messages", messages);
    appended += messages.size();
    ledger.inNewTransaction(messages.toArray(Message[]::new));
  }

  /**
   * Waits until all that was appended is published, but for one message that is parked. Messages
   * come all the time: where all others had got through with the poison, it waits for two more.
   *
   * @param poison the one
   * @param another makes further messages, of other keys
   * @return those that were appended meanwhile, which are published as well
   * @throws AssertionError if another one is parked, or this takes minutes
   * @throws InterruptedException if the thread is interrupted
   */
  public List<Message> awaitOnlyParked(Message poison, Supplier<Message> another)
      throws InterruptedException {
    Require.nonNull("poison", poison);
    Require.nonNull("another", another);
    List<Message> more = new ArrayList<>();
    long until = time.nanoTime() + PATIENCE.toNanos();
    while (published < appended - 1 || parked.isEmpty()) {
      assertThat(time.nanoTime() - until)
          .as("%s of %s are published; told: %s", published, appended, told)
          .isNegative();
      RelayEvent next = events.poll(1, TimeUnit.SECONDS);
      if (next != null) {
        note(next);
      } else if (published >= appended - 1) {
        more.add(another.get());
        append(more.subList(more.size() - 1, more.size()));
      }
    }
    assertThat(parked).as("told: %s", told).containsExactly(poison.id());
    return more;
  }

  private void note(RelayEvent event) {
    if (event instanceof RelayEvent.Saved saved) {
      published += saved.published();
      return;
    }
    told.add(event);
    if (event instanceof RelayEvent.Parked one) {
      parked.add(one.message().id());
    }
  }

  /** Stops the relay. */
  @Override
  public void close() {
    running.close();
  }
}
