// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What strangers can send who know the broker's protocol. None of it may cost a good message its
 * effect or its place: it is named and set aside.
 */
abstract class ReceiverStrangerContractTests extends ReceiverContractTests {

  /** Of a line or two a second; a library of its own kind may write a trace to each. */
  private static final int LOG_LINES_MAX = 1_000;

  private static final ReceiverOptions FEW_ATTEMPTS =
      OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(3));

  private final List<String> told = new CopyOnWriteArrayList<>();

  private OpenReceiver startTold() {
    return start(store.handler(), FEW_ATTEMPTS, told::add);
  }

  /** Sends each stranger's message between good ones. */
  private List<Message> sendAmongGoodOnes(Map<String, Runnable> strangers) {
    List<Message> good = new ArrayList<>(publish(messages(20, 4)));
    strangers.forEach(
        (name, send) -> {
          send.run();
          good.addAll(publish(messages(20, 4)));
        });
    return good;
  }

  private void awaitEffectsAndNames(List<Message> good, int strangers) {
    awaitHandled(good);
    await(
        () -> strangers + " set aside, of which are told " + told,
        () -> told.size() >= strangers && setAside() >= strangers);
    assertHandledOnceInOrder(good);
  }

  private long setAside() {
    return events.stream().filter(ReceiverEvent.SetAside.class::isInstance).count();
  }

  @Test
  final void strangersMessagesThatWaitCostNoGoodOne() {
    Map<String, Runnable> strangers = fixture().strangers();
    List<Message> good = sendAmongGoodOnes(strangers);
    List<String> log =
        fixture()
            .logOf(
                () -> {
                  OpenReceiver receiver = startTold();
                  awaitEffectsAndNames(good, strangers.size());
                  assertThat(receiver.isRunning()).isTrue();
                });
    assertThat(log.stream().mapToLong(entry -> entry.lines().count()).sum())
        .isLessThan(LOG_LINES_MAX);
  }

  /** Tagged long: the same messages come to a receiver that is at work, and twice. */
  @Test
  @Tag("long")
  final void strangersMessagesThatComeAgainWhileItReceivesCostNoGoodOne() {
    Map<String, Runnable> strangers = fixture().strangers();
    OpenReceiver receiver = startTold();
    List<Message> good = sendAmongGoodOnes(strangers);
    awaitEffectsAndNames(good, strangers.size());
    good.addAll(sendAmongGoodOnes(strangers));
    awaitEffectsAndNames(good, 2 * strangers.size());
    assertThat(receiver.isRunning()).isTrue();
  }

  @Test
  final void messageOfAStrangerThatIsTheFirstEndsNothing() {
    fixture().strangers().values().forEach(Runnable::run);
    OpenReceiver receiver = startTold();
    List<Message> good = publish(messages(20, 4));
    awaitEffectsAndNames(good, fixture().strangers().size());
    assertClosesInTime(receiver);
  }
}
