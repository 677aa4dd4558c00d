// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.receive.OpenReceiver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Closing a receiver, and those that go on. */
abstract class ReceiverEndContractTests extends ReceiverContractTests {

  /** Without a database that would hide what comes twice. */
  @Test
  final void nothingIsLostOrDoubledWhenAnotherGoesOn() {
    List<Received> effects = new CopyOnWriteArrayList<>();
    List<Message> messages = new ArrayList<>(publish(messages(300, 6)));
    for (int round = 1; round <= 3; round++) {
      int enough = 60 * round;
      OpenReceiver receiver = start(batch -> oneByOne(batch, effects));
      await("round " + round, () -> effects.size() >= enough);
      assertClosesInTime(receiver);
      int atEnd = effects.size();
      messages.addAll(publish(messages(10, 6)));
      assertThat(effects).hasSize(atEnd);
    }
    start(batch -> oneByOne(batch, effects));
    await("all messages", () -> ids(effects).containsAll(ids(messages)));
    assertThat(ids(effects)).doesNotHaveDuplicates();
    assertInOrder(messages, effects);
  }

  private static void oneByOne(List<Received> batch, List<Received> effects) {
    batch.forEach(effects::add);
  }

  @Test
  final void batchThatIsBeingHandledIsFinishedAndDoesNotComeAgain() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<Received> effects = new CopyOnWriteArrayList<>();
    List<Message> messages = publish(messages(10, 2));
    OpenReceiver first =
        start(
            batch -> {
              entered.countDown();
              assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
              effects.addAll(batch);
            });
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    Thread closing = new Thread(first::close);
    closing.start();
    await("it waits in close", () -> isWaiting(closing));
    assertThat(first.isRunning()).isTrue();
    goOn.countDown();
    closing.join();
    assertThat(effects).isNotEmpty();
    start(effects::addAll);
    // Of each key, and so behind what would come again.
    List<Message> later = publish(messages(2, 2));
    await("the later ones", () -> ids(effects).containsAll(ids(later)));
    letPass(fixture().redeliversWithin());
    List<Message> all = new ArrayList<>(messages);
    all.addAll(later);
    assertThat(ids(effects)).containsExactlyInAnyOrderElementsOf(ids(all));
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  final void closingDoesNotWaitForABrokerThatIsAway() {
    publish(messages(10, 2));
    OpenReceiver receiver = start();
    await("the first messages", () -> !store.handled().isEmpty());
    fixture().takeAway();
    OpenReceiver late = start();
    assertClosesInTime(receiver);
    assertClosesInTime(late);
    fixture().bringBack();
    List<Message> messages = publishInTheEnd(messages(10, 2));
    start();
    awaitHandled(messages);
    assertThat(handledIds()).doesNotHaveDuplicates();
  }

  @Test
  final void receiversThatShareTheWorkHandleEachMessageOnce() {
    start();
    OpenReceiver second = start();
    List<Message> messages = new ArrayList<>(publish(messages(100, 10)));
    awaitHandled(messages);
    second.close();
    messages.addAll(publish(messages(100, 10)));
    awaitHandled(messages);
    assertHandledOnceInOrder(messages);
  }
}
