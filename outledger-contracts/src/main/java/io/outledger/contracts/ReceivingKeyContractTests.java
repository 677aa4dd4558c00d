// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.receive.Receiver;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In which order a receiver goes on with the messages of a key, and of which key. */
abstract class ReceivingKeyContractTests extends ReceivedContractTests {

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  final void endThreads() {
    threads.shutdownNow();
  }

  /** Invoice 7 and order 7 are two things. */
  @Test
  final void keyHoldsNoneOfTheSameNameThatBelongsElsewhere() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1", "2");
    source.add(message("1", "orders", "orders"), message("2", "invoices", "invoices"));
    receiver.step(source);
    assertThat(parked(ParkedState.RETRYING)).containsExactly("1", "2");
    source.add(message("3", "orders", "orders"), message("4", "mails", "mails"));
    receiver.step(source);
    assertThat(effects).containsExactly("4");
    assertThat(parked(ParkedState.HELD)).containsExactly("3");
    failures.remove("1");
    retry(receiver);
    assertThat(effects).containsExactly("4", "1", "3");
    assertThat(parked()).extracting(row -> row.message().keySpace()).containsExactly("invoices");
    failures.clear();
    retry(receiver);
    assertThat(effects).containsExactly("4", "1", "3", "2");
  }

  @Test
  final void keyHoldsItsFollowersInOtherTopicsOfItsSpace() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1");
    source.add(message("1", "orders.placed", "shop"), message("2", "orders.paid", "shop"));
    receiver.step(source);
    assertThat(effects).isEmpty();
    assertThat(parked(ParkedState.HELD)).containsExactly("2");
    failures.clear();
    retry(receiver);
    assertThat(effects).containsExactly("1", "2");
  }

  @Test
  final void deadLetterLetsItsKeyGoOnAndIsRetriedBesideTheSameNameElsewhere() {
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(1)));
    fail("1");
    source.add(message("1", "orders", "orders"), message("2", "invoices", "invoices"));
    source.add(message("3", "orders", "orders"));
    receiver.step(source);
    assertThat(effects).containsExactly("2", "3");
    failures.clear();
    assertThat(inbox().parked().retry(ParkedSelection.ALL.withKey("7"))).isEqualTo(1);
    retry(receiver);
    assertThat(effects).containsExactly("2", "3", "1");
  }

  /** As after a rebalance, when two instances have it. */
  @Test
  final void messageThatIsParkedTwiceIsParkedOnce() {
    ParkedFailure failed =
        new ParkedFailure(
            ParkedState.RETRYING, true, 1, "no stock", Duration.ZERO, FailedAttempt.UNTIMED);
    Received one = message("a", "1");
    assertThat(store().park(one, failed, 10)).isTrue();
    assertThat(store().park(one, failed, 10)).isFalse();
    assertThat(store().park(message("a", "2"), ParkedFailure.HELD, 10)).isTrue();
    assertThat(parked()).hasSize(2);
    assertThat(count("SELECT COUNT(*) FROM outledger_inbox_attempt")).isEqualTo(1);
  }

  @Test
  final void messageWithoutAKeyHoldsNothing() {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1");
    source.add(message(null, "1"), message(null, "2"));
    receiver.step(source);
    assertThat(effects).containsExactly("2");
    failures.clear();
    retry(receiver);
    assertThat(effects).containsExactly("2", "1");
  }

  @Test
  final void newerMessageOfAKeyIsHeldWhileAnOlderOneIsTried() throws Exception {
    Receiver<Integer> receiver = receiver(OPTIONS);
    fail("1");
    source.add(message("a", "1"));
    receiver.step(source);
    failures.clear();
    Receiver<Integer> other = receiver(OPTIONS); // which is declared where one alone may write
    CompletableFuture<Void> retrying = runSlowly("1", () -> retry(receiver));
    source.add(message("a", "2"));
    CompletableFuture<Void> newer = CompletableFuture.runAsync(() -> other.step(source), threads);
    if (fixture().writers() == DatabaseFixture.Writers.SEVERAL) { // else it waits for the older one
      newer.get(30, TimeUnit.SECONDS);
      assertThat(other.retries().orElseThrow().step()).isZero();
      assertThat(source.committed()).isEqualTo(2);
    }
    assertThat(effects).isEmpty();
    goOn.countDown();
    retrying.get(30, TimeUnit.SECONDS);
    newer.get(30, TimeUnit.SECONDS);
    assertThat(source.committed()).isEqualTo(2);
    retry(other);
    assertThat(effects).containsExactly("1", "2");
  }

  @Test
  final void deadLetterIsNotRetriedWhileANewerMessageOfItsKeyIsProcessed() throws Exception {
    Receiver<Integer> receiver = receiver(OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(1)));
    fail("1");
    source.add(message("a", "1"));
    receiver.step(source);
    failures.clear();
    source.add(message("a", "2"));
    CompletableFuture<Void> newer = runSlowly("2", () -> receiver.step(source));
    CompletableFuture<Integer> asked =
        CompletableFuture.supplyAsync(() -> inbox().parked().retry(ParkedSelection.ALL), threads);
    if (fixture().writers() == DatabaseFixture.Writers.SEVERAL) { // else it waits for the newer one
      assertThat(asked.join()).isEqualTo(1);
    }
    CompletableFuture<Void> older =
        CompletableFuture.runAsync(
            () -> {
              Receiver<Integer> other = receiver(OPTIONS);
              while (!effects.contains("1") && !Thread.currentThread().isInterrupted()) {
                retry(other);
              }
            },
            threads);
    assertThatThrownBy(() -> older.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
    assertThat(effects).isEmpty();
    goOn.countDown();
    newer.get(30, TimeUnit.SECONDS);
    older.get(30, TimeUnit.SECONDS);
    assertThat(asked.join()).isEqualTo(1);
    assertThat(effects).containsExactly("2", "1");
  }

  private CompletableFuture<Void> runSlowly(String id, Runnable run) throws InterruptedException {
    slow = id;
    entered = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    CompletableFuture<Void> running = CompletableFuture.runAsync(run, threads);
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    return running;
  }
}
