// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import io.outledger.store.ParkedState;
import io.outledger.testing.ParkedReceivedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of messages that fail. */
abstract class ReceiverParkContractTests extends ReceiverContractTests {

  private static final ReceiverOptions ONE_ATTEMPT =
      OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(1));

  private void fail(Message message) {
    failing.add(message.id().toString());
  }

  private List<String> parked(ParkedState state) {
    return store.parked().stream()
        .filter(row -> row.state() == state)
        .map(row -> row.message().id())
        .toList();
  }

  @Test
  final void failingMessageHoldsItsKeyAndNotItsStream() {
    Message bad = message("a", "1");
    List<Message> followers = List.of(message("a", "2"), message("a", "3"));
    List<Message> others = messages(30, 5);
    fail(bad);
    start();
    publish(bad);
    publish(followers);
    publish(others);
    awaitHandled(others);
    await("followers are held", () -> parked(ParkedState.HELD).size() == 2);
    assertThat(parked(ParkedState.RETRYING)).containsExactly(bad.id().toString());
    assertThat(parked(ParkedState.HELD)).containsExactlyElementsOf(ids(followers));

    failing.clear();
    Message last = message("a", "4");
    publish(last);
    List<Message> all = new ArrayList<>(List.of(bad));
    all.addAll(followers);
    all.addAll(others);
    all.add(last);
    awaitHandled(all);
    assertHandledOnceInOrder(all);
    assertThat(store.parked()).isEmpty();
  }

  /** It waits alone at first, and nobody can know then whether it is to blame. */
  @Test
  final void messageThatAlwaysMeetsAnOutageHoldsItsKeyAndNotItsStream() {
    if (!fixture().receivesWhileItWaits()) {
      return;
    }
    Message bad = message("a", "1");
    unavailable.add(bad.id().toString());
    start();
    publish(bad);
    await(
        "it meets the outage",
        () -> events.stream().anyMatch(ReceiverEvent.Unavailable.class::isInstance));
    assertThat(store.parked()).isEmpty();
    List<Message> followers = publish(List.of(message("a", "2"), message("a", "3")));
    List<Message> others = publish(messages(30, 5));
    awaitHandled(others);
    await("followers are held", () -> parked(ParkedState.HELD).size() == 2);
    assertThat(parked(ParkedState.RETRYING)).containsExactly(bad.id().toString());
    assertThat(store.parked().get(0).attempts()).isPositive();

    unavailable.clear();
    List<Message> all = new ArrayList<>(List.of(bad));
    all.addAll(followers);
    all.addAll(others);
    awaitHandled(all);
    assertHandledOnceInOrder(all);
  }

  /** One message may cause it each time: otherwise it would hold its stream for good. */
  @Test
  @Tag(ReceiverContract.ENGINE)
  final void errorOfOneMessageHoldsItsKeyAndNotItsStream() {
    List<Error> planted =
        List.of(
            new OutOfMemoryError("planted"),
            new StackOverflowError("planted"),
            new InternalError("planted"),
            new NoClassDefFoundError("planted"));
    List<Message> bad =
        planted.stream().map(error -> message(error.getClass().getName(), "bad")).toList();
    for (int i = 0; i < bad.size(); i++) {
      errors.put(bad.get(i).id().toString(), planted.get(i));
    }
    OpenReceiver receiver = start();
    publish(bad);
    List<Message> others = publish(messages(30, 5));
    awaitHandled(others);
    await("all are parked", () -> parked(ParkedState.RETRYING).size() == bad.size());
    for (ParkedReceivedRow row : store.parked()) {
      assertThat(row.reason()).contains(String.valueOf(row.message().key()), "planted");
    }
    errors.clear();
    awaitHandled(bad);
    assertThat(handledIds()).doesNotHaveDuplicates();
    assertThat(receiver.isRunning()).isTrue();
  }

  /** Each of them counts as a key does: where all fail, it is the handler and not each message. */
  @Test
  @Tag(ReceiverContract.ENGINE)
  final void handlerThatFailsForAllMessagesWithoutAKeyParksOnlyAFewOfThem() {
    List<Message> messages = IntStream.range(0, 60).mapToObj(i -> message(null, "m" + i)).toList();
    messages.forEach(this::fail);
    start();
    publish(messages);
    await(
        "the breaker opens",
        () -> events.stream().anyMatch(ReceiverEvent.BreakerOpened.class::isInstance));
    assertThat(store.parked()).hasSizeLessThan(OPTIONS.breaker().failures());
    failing.clear();
    awaitHandled(messages);
    assertThat(handledIds()).doesNotHaveDuplicates();
    await("none is parked", () -> store.parked().isEmpty());
  }

  @Test
  final void whatIsParkedDoesNotComeAgainFromTheBroker() {
    Message bad = message("a", "1");
    fail(bad);
    OpenReceiver first = start();
    publish(bad);
    await("it is parked", () -> store.parked().size() == 1);
    first.close();
    failing.clear();
    List<Received> again = new CopyOnWriteArrayList<>();
    start(again::addAll); // knows nothing of the consumer's database
    List<Message> later = publish(messages(10, 2));
    await("later messages", () -> again.size() >= later.size());
    assertThat(ids(again)).containsExactlyInAnyOrderElementsOf(ids(later));
  }

  @Test
  @Tag(ReceiverContract.ENGINE)
  final void failingMessageHoldsItsKeyAloneWhereEachHasATransactionOfItsOwn() {
    List<Message> messages = messages(40, 4);
    Message bad = messages.get(5);
    fail(bad);
    start(OPTIONS.withTransactionPerMessage());
    publish(messages);
    List<Message> others =
        messages.stream().filter(each -> !Objects.equals(each.key(), bad.key())).toList();
    awaitHandled(others);
    failing.clear();
    awaitHandled(messages);
    assertHandledOnceInOrder(messages);
  }

  @Test
  @Tag(ReceiverContract.ENGINE)
  final void deadLetterIsRetriedOrDiscardedByAnOperator() {
    Message retried = message("a", "1");
    Message discarded = message("b", "2");
    List<Message> followers = List.of(message("a", "3"), message("b", "4"));
    fail(retried);
    fail(discarded);
    start(ONE_ATTEMPT);
    publish(retried, discarded);
    publish(followers);
    awaitHandled(followers);
    assertThat(parked(ParkedState.DEAD))
        .containsExactlyInAnyOrderElementsOf(ids(List.of(retried, discarded)));
    failing.clear();
    store.requestRetry(number(retried));
    awaitHandled(List.of(retried));
    store.requestDiscard(number(discarded));
    await("it is discarded", () -> store.parked().isEmpty());
    publish(discarded); // a broker that delivers it again is no operator who wants it retried
    List<Message> last = publish(message("b", "5"));
    awaitHandled(last);
    assertThat(handledIds()).doesNotContain(discarded.id().toString());
    assertThat(handledIds()).hasSize(4).doesNotHaveDuplicates();
    assertThat(events).hasAtLeastOneElementOfType(ReceiverEvent.Discarded.class);
  }

  private long number(Message message) {
    String id = message.id().toString();
    return store.parked().stream()
        .filter(row -> row.message().id().equals(id))
        .mapToLong(ParkedReceivedRow::number)
        .findFirst()
        .orElseThrow();
  }

  @Test
  @Tag(ReceiverContract.ENGINE)
  final void streamGoesOnWhereRoomToParkIsMade() {
    Message bad = message("a", "1");
    Message follower = message("a", "2");
    Message third = message("a", "3");
    fail(bad);
    start(OPTIONS.withParkedMax(2));
    publish(bad, follower, third);
    await("there is no room", () -> events.stream().anyMatch(ReceiverEvent.Full.class::isInstance));
    failing.clear();
    awaitHandled(List.of(bad, follower, third));
    assertHandledOnceInOrder(List.of(bad, follower, third));
  }

  @Test
  @Tag(ReceiverContract.ENGINE)
  final void failingMessageHoldsItsStreamWhereThatIsTheChoice() {
    Message parked = message("a", "1");
    fail(parked);
    OpenReceiver first = start();
    publish(parked);
    await("it is parked", () -> store.parked().size() == 1);
    first.close();
    List<Message> before = messages(5, 1);
    Message bad = message(before.get(0).key(), "2");
    fail(bad);
    start(OPTIONS.withoutParking());
    publish(before);
    publish(bad);
    List<Message> after = publish(messages(5, 1));
    awaitHandled(before);
    assertThat(store.parked()).hasSize(1);
    assertThat(handledIds()).hasSize(before.size());
    failing.clear();
    awaitHandled(List.of(parked, bad));
    awaitHandled(after);
    await("nothing is parked", () -> store.parked().isEmpty());
    assertThat(handledIds()).doesNotHaveDuplicates();
  }

  @Test
  final void failingMessageHoldsItsStreamWhereNothingIsParked() {
    List<Message> messages = messages(40, 1);
    String bad = messages.get(7).id().toString();
    failing.add(bad);
    List<Received> effects = new CopyOnWriteArrayList<>();
    start(
        batch -> {
          for (Received each : batch) {
            if (failing.contains(each.id())) {
              throw new IllegalStateException("not now");
            }
          }
          effects.addAll(batch);
        });
    publish(messages);
    await("what is before it", () -> effects.size() == 7);
    failing.clear();
    await("the rest", () -> effects.size() >= messages.size());
    assertThat(ids(effects)).containsExactlyElementsOf(ids(messages));
  }
}
