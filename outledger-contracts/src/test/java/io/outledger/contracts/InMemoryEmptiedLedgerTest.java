// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.Received;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.handler.HandlerPublisher;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.InMemorySubscription;
import io.outledger.testing.InMemoryTransaction;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

final class InMemoryEmptiedLedgerTest extends EmptiedLedgerHandlerContractTests {

  @Override
  HandlersFixture openFixture() {
    return new Fixture();
  }

  private static final class Fixture implements HandlersFixture {

    private final InMemoryLedger ledger = new InMemoryLedger(TimeSource.system());
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @Override
    public void append(Message message) {
      ledger.inNewTransaction(message);
    }

    @Override
    public void emptyLedger() {
      ledger.truncate();
    }

    @Override
    public void moveAndProcessAgain() {
      ledger.subscription(SUBSCRIPTION).move(Start.EARLIEST);
    }

    @Override
    public void retryDeadLetters() {
      InMemorySubscription subscription = ledger.subscription(SUBSCRIPTION);
      subscription.parked().stream()
          .map(row -> row.message())
          .filter(message -> message.state() == ParkedState.DEAD)
          .forEach(message -> subscription.requestRetry(ParkedPlace.of(message)));
    }

    @Override
    public RunningRelay start(
        List<Handler> handlers, RelayOptions.Builder options, RelayListener listener) {
      List<Route> routes =
          handlers.stream()
              .map(
                  handler ->
                      new Route(
                          handler.route(),
                          new HandlerPublisher(
                              handler.route(),
                              (position, attempt, message) -> once(handler, position, message),
                              threads),
                          Accepts.everything()))
              .toList();
      Relay relay =
          new Relay(
              ledger.relayStore(SUBSCRIPTION, Start.EARLIEST),
              routes,
              options.build(),
              listener,
              new Relay.Surroundings(TimeSource.system(), new Random()));
      RunningRelay running =
          RunningRelay.start(relay, SUBSCRIPTION, TimeSource.system(), Duration.ofSeconds(10));
      ledger.onCommit(running::wake);
      return running;
    }

    private void once(Handler handler, long position, Message message) throws Exception {
      List<String> added = new ArrayList<>();
      try (InMemoryTransaction transaction = ledger.begin()) {
        new Inbox<>(handler.consumer(), ledger.inboxStore())
            .process(
                transaction,
                Received.ofLedger(SUBSCRIPTION, position, message),
                () -> handler.work().run(message, added::add));
        transaction.commit();
        effects.addAll(added);
      }
    }

    @Override
    public List<String> effects() {
      return List.copyOf(effects);
    }

    @Override
    public void close() {
      threads.shutdownNow();
    }
  }
}
