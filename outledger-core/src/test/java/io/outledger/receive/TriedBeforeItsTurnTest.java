// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.options.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages behind one that meets an outage, which say who is to blame, and nothing else. */
class TriedBeforeItsTurnTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final SetTime clock = new SetTime();
  private final ScriptedQueue queue = new ScriptedQueue();
  private final ScriptedStore store = new ScriptedStore();
  private final Set<InboxId> inbox = new HashSet<>();
  private final List<ReceiverEvent> events = new ArrayList<>();
  private final Receiver<String> receiver =
      new Receiver<>(
          store,
          new ReceiverContext(
              "queue",
              ReceiverOptions.DEFAULT.withBackoff(new Backoff(Duration.ofMillis(1), LONG)),
              events::add,
              clock,
              new SplittableRandom(1)));

  @BeforeEach
  void rememberWhatIsProcessed() {
    store.inbox = Optional.of(inbox);
    queue.reader =
        id ->
            new Received("/orders", id, "orders", id, "t", 1, new byte[0], Map.of(), null, "", "");
  }

  /** An operator has the inbox forget a message so that it takes effect again. */
  @Test
  void messageThatTheInboxWasToldToForgetIsProcessedInItsTurn() throws Exception {
    store.away.add("a1");
    queue.add("a1", "a2");
    Deliveries<String> first = queue.open();
    new Steps(first).run(10);
    first.close();
    assertThat(store.handled).containsExactly("a2");
    inbox.clear();
    store.away.clear();
    new Steps(queue.open()).run(10);
    assertThat(store.handled).containsExactlyInAnyOrder("a2", "a1", "a2");
    assertThat(queue.isDone()).isTrue();
  }

  @Test
  void messageThatIsDoneWithTakesNoEffectAgainInItsTurn() throws Exception {
    store.away.add("a1");
    queue.add("a1", "a2");
    Steps steps = new Steps(queue.open());
    steps.run(10);
    store.away.clear();
    steps.run(10);
    assertThat(store.handled).containsExactly("a2", "a1");
    assertThat(queue.isDone()).isTrue();
  }

  /** There is no room for what fails, which has a long wait of its own. */
  @Test
  void waitOfAMessageBehindIsNotTheWaitOfItsStream() throws Exception {
    store.away.add("a1");
    store.failing.add("a2");
    store.isFull = true;
    queue.add("a1", "a2");
    Steps steps = new Steps(queue.open());
    steps.run(10);
    assertThat(events).anyMatch(event -> event instanceof ReceiverEvent.Full);
    store.away.clear();
    steps.run(10);
    assertThat(store.handled).containsExactly("a1");
  }

  @Test
  void outageIsToldOfTheMessageThatMetIt() throws Exception {
    store.away.addAll(List.of("a1", "a2"));
    queue.add("a1", "a2");
    new Steps(queue.open()).run(10);
    List<String> told =
        events.stream()
            .filter(event -> event instanceof ReceiverEvent.Unavailable)
            .map(event -> ((ReceiverEvent.Unavailable) event).message().id().id())
            .toList();
    assertThat(store.met).contains("a1", "a2");
    assertThat(told).containsExactlyElementsOf(store.met.stream().filter("a1"::equals).toList());
  }

  /** Steps the receiver once a second. */
  private final class Steps {

    private final QueueSource<String> source;

    Steps(Deliveries<String> deliveries) {
      source = new QueueSource<>(deliveries, clock, pause -> {}, () -> false);
    }

    void run(int count) {
      for (int step = 0; step < count; step++) {
        receiver.step(source);
        clock.nanos += 1_000_000_000;
      }
    }
  }
}
