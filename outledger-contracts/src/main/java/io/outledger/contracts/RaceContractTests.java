// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.inbox.InboxOutcome.DUPLICATE;
import static io.outledger.inbox.InboxOutcome.PROCESSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.StoreException;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One message received on several sides at once. */
abstract class RaceContractTests<T> extends InboxContractTests<T> {

  private static final int THREADS = 4;
  private static final int ROUNDS = 25;
  private static final int TRIES = 50;

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  final void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void secondIsADuplicateOnceTheFirstCommits() throws Exception {
    T first = fixture().begin();
    assertThat(inbox().process(first, received("1"), () -> {})).isEqualTo(PROCESSED);
    Future<InboxOutcome> second = meets(received("1"));
    fixture().commit(first);
    assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo(DUPLICATE);
  }

  @Test
  void secondIsProcessedOnceTheFirstRollsBack() throws Exception {
    T first = fixture().begin();
    assertThat(inbox().process(first, received("1"), () -> {})).isEqualTo(PROCESSED);
    Future<InboxOutcome> second = meets(received("1"));
    fixture().rollback(first);
    assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo(PROCESSED);
    assertThat(processed(inbox(), received("1"))).isEqualTo(DUPLICATE);
  }

  /** Processes it on another thread, which has some time to meet the transaction that is open. */
  private Future<InboxOutcome> meets(Received message) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Future<InboxOutcome> second =
        threads.submit(
            () -> {
              begun.countDown();
              return triedUntilDone(List.of(message));
            });
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    assertThatThrownBy(() -> second.get(100, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    return second;
  }

  @Test
  void otherIdsDoNotWait() throws Exception {
    T first = fixture().begin();
    inbox().process(first, received("1"), () -> {});
    if (fixture().writers() == DatabaseFixture.Writers.ONE) { // who writes anything waits
      Future<InboxOutcome> second = meets(received("2"));
      fixture().rollback(first);
      assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo(PROCESSED);
      return;
    }
    assertThat(processed(inbox(), received("2"))).isEqualTo(PROCESSED);
    fixture().rollback(first);
  }

  @Test
  void sameIdFromManySidesTakesEffectOnce() throws Exception {
    Map<String, Integer> effects = new ConcurrentHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<Received> one = List.of(received("id-" + round));
      race(List.of(one, one, one, one), effects);
    }
    assertThat(effects).hasSize(ROUNDS);
    assertThat(effects.values()).containsOnly(1);
  }

  @Test
  void batchesThatCrossTakeEffectOnce() throws Exception {
    Map<String, Integer> effects = new ConcurrentHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      Received a = received("a-" + round);
      Received b = received("b-" + round);
      Received c = received("c-" + round);
      race(List.of(List.of(a, b, c), List.of(c, b, a), List.of(b, a), List.of(c, a)), effects);
    }
    assertThat(effects).hasSize(3 * ROUNDS);
    assertThat(effects.values()).containsOnly(1);
  }

  private void race(List<List<Received>> batches, Map<String, Integer> effects) throws Exception {
    List<Callable<InboxOutcome>> racers = new ArrayList<>();
    for (List<Received> batch : batches) {
      racers.add(
          () -> {
            List<String> worked = new ArrayList<>();
            InboxOutcome outcome = triedUntilDone(batch, worked);
            worked.forEach(id -> effects.merge(id, 1, Integer::sum));
            return outcome;
          });
    }
    for (Future<InboxOutcome> racer : threads.invokeAll(racers, 1, TimeUnit.MINUTES)) {
      racer.get();
    }
  }

  private InboxOutcome triedUntilDone(List<Received> batch) {
    return triedUntilDone(batch, new ArrayList<>());
  }

  /** A database may ask to try a transaction again, as its caller would. */
  private InboxOutcome triedUntilDone(List<Received> batch, List<String> worked) {
    RuntimeException last = new IllegalStateException("not tried");
    for (int tries = 0; tries < TRIES; tries++) {
      worked.clear();
      try {
        return committed(
                transaction ->
                    inbox()
                        .processAll(
                            transaction,
                            batch,
                            fresh -> fresh.forEach(each -> worked.add(each.id()))))
            .get(0);
      } catch (StoreException e) {
        last = e;
      }
    }
    throw last;
  }
}
