// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.ReceiverEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Failures of the broker, the line, the database and the handler. */
abstract class ReceiverFaultContractTests extends ReceiverContractTests {

  @Test
  final void brokerThatCannotBeReachedAtTheStartIsWaitedFor() {
    List<Message> messages = new ArrayList<>(publish(messages(5, 2)));
    fixture().takeAway();
    OpenReceiver receiver = start();
    await("a first attempt fails", () -> tells(ReceiverEvent.CannotReceive.class));
    assertThat(tells(ReceiverEvent.ReceivesAgain.class)).isFalse();
    assertThat(receiver.isRunning()).isTrue();
    assertThat(store.handled()).isEmpty();
    fixture().bringBack();
    awaitHandled(messages);
    await("it says that it receives", () -> tells(ReceiverEvent.ReceivesAgain.class));
    messages.addAll(publishInTheEnd(messages(5, 2)));
    awaitHandled(messages);
    assertHandledOnceInOrder(messages);
    assertThat(receiver.isRunning()).isTrue();
  }

  @Test
  final void lineThatBreaksInTheMiddleLosesAndRepeatsNothing() {
    List<Message> messages = new ArrayList<>(publish(messages(100, 4)));
    OpenReceiver receiver = start();
    await("the first messages", () -> !store.handled().isEmpty());
    for (int i = 0; i < 3; i++) {
      fixture().takeAway();
      fixture().bringBack();
      messages.addAll(publishInTheEnd(messages(50, 4)));
    }
    awaitHandled(messages);
    assertHandledOnceInOrder(messages);
    assertThat(receiver.isRunning()).isTrue();
  }

  @Test
  final void nothingIsLostOrRepeatedWhenTheBrokerIsKilled() {
    List<Message> messages = new ArrayList<>(publish(messages(200, 5)));
    OpenReceiver receiver = start();
    await("the first messages", () -> !store.handled().isEmpty());
    fixture().crash();
    messages.addAll(publishInTheEnd(messages(50, 5)));
    awaitHandled(messages);
    assertHandledOnceInOrder(messages);
    assertThat(receiver.isRunning()).isTrue();
  }

  @Test
  final void databaseThatIsAwayIsWaitedForAndNothingIsParked() {
    store.takeAway();
    OpenReceiver receiver = start();
    List<Message> messages = publish(messages(30, 3));
    await(
        "the database is missed",
        () -> events.stream().anyMatch(ReceiverFaultContractTests::tellsOfTheDatabase));
    store.bringBack();
    awaitHandled(messages);
    assertHandledOnceInOrder(messages);
    assertThat(events)
        .doesNotHaveAnyElementsOfTypes(ReceiverEvent.Parked.class, ReceiverEvent.Died.class);
    assertThat(receiver.isRunning()).isTrue();
  }

  private boolean tells(Class<? extends ReceiverEvent> kind) {
    return events.stream().anyMatch(kind::isInstance);
  }

  /** A receiver that receives nothing without a database meets that where it looks for retries. */
  private static boolean tellsOfTheDatabase(ReceiverEvent event) {
    return event instanceof ReceiverEvent.Unavailable
        || event instanceof ReceiverEvent.RetriesFailed;
  }

  @Test
  final void whateverAHandlerThrowsIsNotTheEndOfIt() {
    AtomicInteger calls = new AtomicInteger();
    List<Received> effects = new CopyOnWriteArrayList<>();
    BatchHandler handler =
        batch -> {
          switch (calls.incrementAndGet()) {
            case 1 -> throw new OutOfMemoryError("planted");
            case 2 ->
                ReceiverFaultContractTests.<RuntimeException>throwAny(new Throwable("planted"));
            case 3 -> throw new InterruptedException("planted");
            case 4 -> throw new StackOverflowError("planted");
            case 5 -> Thread.currentThread().interrupt();
            default -> {}
          }
          effects.addAll(batch);
        };
    OpenReceiver receiver = start(handler);
    List<Message> messages = publish(messages(20, 2));
    await("all messages", () -> effects.size() >= messages.size() && calls.get() > 4);
    List<Message> last = publish(messages(5, 2));
    await("later ones", () -> ids(effects).containsAll(ids(last)));
    assertThat(ids(effects)).doesNotHaveDuplicates();
    assertInOrder(concat(messages, last), effects);
    assertThat(receiver.isRunning()).isTrue();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> void throwAny(Throwable thrown) throws X {
    throw (X) thrown;
  }

  private static List<Message> concat(List<Message> first, List<Message> second) {
    List<Message> both = new ArrayList<>(first);
    both.addAll(second);
    return both;
  }
}
