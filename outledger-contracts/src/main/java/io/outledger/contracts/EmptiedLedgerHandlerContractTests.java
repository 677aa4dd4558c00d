// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.contracts.DatabaseContractTests.PATIENCE;
import static io.outledger.contracts.DatabaseContractTests.secondsSince;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.HandlersFixture.Effects;
import io.outledger.contracts.HandlersFixture.Handler;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A ledger is emptied and gives its positions out again, while handlers work and while its messages
 * are parked. Every message takes effect once, whichever had its position before.
 */
abstract class EmptiedLedgerHandlerContractTests {

  private static final RetryPolicy QUICK =
      RetryPolicy.DEFAULT.withBackoff(new Backoff(Duration.ofMillis(50), Duration.ofMillis(100)));
  private static final RetryPolicy ONCE = QUICK.withAttemptsMax(1);
  private static final Handler MAIL =
      new Handler("mail", "contract/mail", (message, effects) -> {});
  private static final Handler STOCK = new Handler("stock", "a consumer's own", MAIL.work());

  /** What handlers refuse for now. */
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  private final BlockingQueue<RelayEvent> events = new LinkedBlockingQueue<>();
  private final Stops stops = new Stops();
  private HandlersFixture fixture;
  private @Nullable RunningRelay relay;

  abstract HandlersFixture openFixture();

  @BeforeEach
  final void open() {
    fixture = openFixture();
  }

  @AfterEach
  final void close() throws Exception {
    stops.letAllGo();
    stop();
    fixture.close();
  }

  @Test
  final void deadLetterOfEachEmptiedLedgerTakesEffect() {
    for (int round = 1; round <= 3; round++) {
      die(QUICK, "k", "old-" + round, MAIL);
      emptied("k", "new-" + round);
      start(ONCE, MAIL);
      awaitEffects("mail new-" + round);
      fixture.retryDeadLetters();
      awaitEffects("mail old-" + round);
      stop();
    }
    assertThat(fixture.effects())
        .containsExactly(
            "mail new-1", "mail old-1", "mail new-2", "mail old-2", "mail new-3", "mail old-3");
  }

  @Test
  final void deadLetterThatIsRetriedBeforeTheNewMessageIsHandledTakesEffectOnce() {
    for (int round = 1; round <= 3; round++) {
      die(QUICK, "k", "old-" + round, MAIL);
      emptied("other", "new-" + round);
      fixture.retryDeadLetters();
      start(ONCE, MAIL);
      awaitEffects("mail new-" + round, "mail old-" + round);
      stop();
    }
    assertThat(fixture.effects()).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  final void deadLettersOfSeveralEmptiedLedgersAreRetriedTogether() {
    for (int round = 1; round <= 3; round++) {
      die(QUICK, null, "old-" + round, MAIL);
      emptied(null, "new-" + round);
    }
    fixture.retryDeadLetters();
    start(ONCE, MAIL);
    awaitEffects("mail old-1", "mail old-2", "mail old-3", "mail new-3");
    stop();
    assertThat(fixture.effects()).doesNotHaveDuplicates();
  }

  @Test
  final void deadLetterOfTwoRoutesTakesEffectInEach() {
    for (int round = 1; round <= 2; round++) {
      die(QUICK, null, "old-" + round, MAIL, STOCK);
      emptied(null, "new-" + round);
      start(ONCE, MAIL, STOCK);
      awaitEffects("mail new-" + round, "stock new-" + round);
      fixture.retryDeadLetters();
      awaitEffects("mail old-" + round, "stock old-" + round);
      stop();
    }
    assertThat(fixture.effects()).hasSize(8).doesNotHaveDuplicates();
  }

  @Test
  final void newMessageTakesEffectWhileAHandlerIsAtWorkOnTheOneThatHadItsPosition() {
    Stop old = stops.at("old", 1);
    start(QUICK, MAIL);
    append("k", "old");
    old.awaitArrival();
    emptiedAtWork("k", "new");
    old.letGo();
    awaitEffects("mail old", "mail new");
    append("k", "next");
    awaitEffects("mail next");
    stop();
    assertThat(distinctWhereMoved()).hasSize(3);
  }

  @Test
  final void messageOfEachLedgerTakesEffectWhereItIsEmptiedTwiceWhileHandlersAreAtWork() {
    int atOnce = fixture.writers() == DatabaseFixture.Writers.ONE ? 1 : 2;
    Stop first = stops.at("first", atOnce);
    Stop second = stops.at("second", atOnce);
    start(QUICK, MAIL, STOCK);
    append(null, "first");
    first.awaitArrival();
    emptiedAtWork(null, "second");
    second.awaitArrival();
    emptiedAtWork(null, "third");
    awaitEffects("mail third", "stock third");
    stops.letAllGo();
    awaitEffects("mail first", "mail second", "stock first", "stock second");
    stop();
    assertThat(distinctWhereMoved()).hasSize(6);
  }

  /** The new one may be handled before the move, which then has it processed again. */
  @Test
  final void newMessageTakesEffectWhereTheSubscriptionIsMovedWhileAHandlerIsAtWork() {
    Stop old = stops.at("old", 1);
    start(QUICK, STOCK);
    append("k", "old");
    old.awaitArrival();
    atWork(() -> emptied("k", "new"));
    old.letGo();
    awaitEffects("stock old", "stock new");
    stop();
    assertThat(fixture.effects()).containsOnlyOnce("stock old");
  }

  @Test
  final void retryThatIsAtWorkWhileTheLedgerIsEmptiedTakesEffectOnce() {
    for (Handler handler : List.of(MAIL, STOCK)) {
      String old = handler.route() + "-old";
      String fresh = handler.route() + "-new";
      refused.add(old);
      start(QUICK, handler);
      append("k", old);
      awaitEvent(RelayEvent.Parked.class);
      Stop retry = stops.at(old, 1);
      refused.clear();
      retry.awaitArrival();
      atWork(() -> emptied("k", fresh));
      retry.letGo();
      awaitEffects(handler.route() + " " + fresh, handler.route() + " " + old);
      append("k", "next");
      awaitEffects(handler.route() + " next");
      stop();
      fixture.emptyLedger();
      fixture.moveAndProcessAgain();
    }
    assertThat(fixture.effects()).hasSize(6).doesNotHaveDuplicates();
  }

  /** The later ledger's messages have the lower positions. */
  @Test
  final void messagesOfOneKeyTakeEffectInTheOrderOfTheirLedgers() {
    append("filler", "filler-1");
    append("filler", "filler-2");
    refused.add("first");
    start(QUICK.withAttemptsMax(1_000), MAIL);
    append("k", "first");
    awaitEvent(RelayEvent.Parked.class);
    append("k", "second");
    awaitEvent(RelayEvent.Held.class);
    stop();
    emptied("filler", "filler-3");
    start(QUICK.withAttemptsMax(1_000), MAIL);
    append("k", "third");
    awaitEvent(RelayEvent.Held.class);
    stop();
    emptied("k", "fourth");
    start(QUICK.withAttemptsMax(1_000), MAIL);
    awaitEvent(RelayEvent.Held.class);
    refused.clear();
    awaitEffects("mail fourth");
    assertThat(fixture.effects().stream().filter(effect -> !effect.contains("filler")))
        .containsExactly("mail first", "mail second", "mail third", "mail fourth");
  }

  /** Lets handlers fail for a message until it is a dead letter for each of them. */
  private void die(RetryPolicy retry, @Nullable String key, String what, Handler... handlers) {
    refused.add(what);
    start(retry.withAttemptsMax(1).withDeadLetter(DeadLetter.KEY_GOES_ON), handlers);
    append(key, what);
    for (int i = 0; i < handlers.length; i++) {
      awaitEvent(RelayEvent.Died.class);
    }
    stop();
    refused.clear();
  }

  /** Empties the ledger, appends a message to it and moves the subscription to it. */
  private void emptied(@Nullable String key, String fresh) {
    fixture.emptyLedger();
    append(key, fresh);
    fixture.moveAndProcessAgain();
  }

  /**
   * Does something while handlers are at work; where one transaction writes at a time, it waits for
   * them and for those that begin meanwhile, so they are let go once it does.
   */
  private void atWork(Runnable change) {
    if (fixture.writers() == DatabaseFixture.Writers.ONE) {
      CompletableFuture<Void> waiting = CompletableFuture.runAsync(change);
      stops.letAllGo();
      waiting.join();
    } else {
      change.run();
    }
  }

  /**
   * Empties the ledger and appends to it while handlers are at work. Where that waits for them, the
   * relay may have saved what they did, so that the subscription has to be moved.
   */
  private void emptiedAtWork(@Nullable String key, String fresh) {
    if (fixture.writers() == DatabaseFixture.Writers.ONE) {
      atWork(() -> emptied(key, fresh));
    } else {
      fixture.emptyLedger();
      append(key, fresh);
    }
  }

  /** What is handled before its subscription is moved is processed again: see the fixture. */
  private Collection<String> distinctWhereMoved() {
    List<String> effects = fixture.effects();
    return fixture.writers() == DatabaseFixture.Writers.ONE ? Set.copyOf(effects) : effects;
  }

  private void append(@Nullable String key, String what) {
    Message.Builder message = Message.to("contract", "contract").payload(what.getBytes(UTF_8));
    fixture.append(key == null ? message.build() : message.key(key).build());
  }

  private void start(RetryPolicy retry, Handler... handlers) {
    events.clear();
    List<Handler> working =
        Stream.of(handlers)
            .map(
                each ->
                    new Handler(
                        each.route(),
                        each.consumer(),
                        (message, effects) -> handle(each.route(), message, effects)))
            .toList();
    // A lease that lasts, so that the relay renews none while a handler is at work.
    RelayOptions.Builder options =
        RelayOptions.builder().lease(Duration.ofMinutes(5)).saveWait(Duration.ZERO).retry(retry);
    relay = fixture.start(working, options, events::add);
  }

  private void handle(String route, Message message, Effects effects) throws Exception {
    String what = new String(message.payload(), UTF_8);
    if (refused.contains(what)) {
      throw new IllegalStateException("refused by the test");
    }
    effects.add(route + " " + what);
    stops.arrive(what);
  }

  private void stop() {
    if (relay != null) {
      relay.close();
      relay = null;
    }
  }

  private void awaitEvent(Class<? extends RelayEvent> kind) {
    try {
      RelayEvent event = events.poll(PATIENCE.toSeconds(), SECONDS);
      while (event != null && !kind.isInstance(event)) {
        event = events.poll(PATIENCE.toSeconds(), SECONDS);
      }
      assertThat(event).as(kind.getSimpleName()).isNotNull();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until these effects are there: looks whenever the relay has told something. */
  private void awaitEffects(String... wanted) {
    long from = TimeSource.system().nanoTime();
    try {
      while (!fixture.effects().containsAll(List.of(wanted))
          && secondsSince(from) < PATIENCE.toSeconds()) {
        events.poll(100, MILLISECONDS);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThat(fixture.effects()).contains(wanted);
  }

  /** Where handlers wait, in their transactions, until the test lets them go. */
  private static final class Stops {

    private final ConcurrentHashMap<String, Stop> stops = new ConcurrentHashMap<>();

    Stop at(String what, int handlers) {
      return stops.computeIfAbsent(what, absent -> new Stop(handlers));
    }

    void arrive(String what) throws InterruptedException {
      Stop stop = stops.get(what);
      if (stop != null) {
        stop.arrived.countDown();
        stop.gone.await();
      }
    }

    void letAllGo() {
      stops.values().forEach(Stop::letGo);
    }
  }

  private static final class Stop {

    private final CountDownLatch arrived;
    private final CountDownLatch gone = new CountDownLatch(1);

    Stop(int handlers) {
      this.arrived = new CountDownLatch(handlers);
    }

    void awaitArrival() {
      try {
        assertThat(arrived.await(PATIENCE.toSeconds(), SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    void letGo() {
      gone.countDown();
    }
  }
}
