// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.BatchHandler;
import io.outledger.log.KeptLog;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.options.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** An outage that lasts is told ever more rarely; the next one is a new one, and told at once. */
class ReceiverOutagesTest {

  private static final Backoff AT_ONCE = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));
  private static final ReceiverOptions OPTIONS = ReceiverOptions.DEFAULT.withBackoff(AT_ONCE);

  private final SetTime clock = new SetTime();
  private final KeptLog kept = new KeptLog(Level.INFO);
  private final ScriptedQueue queue = new ScriptedQueue();
  private final ScriptedStore store = new ScriptedStore();

  @Test
  void nextOutageOfTheDatabaseIsToldAtOnce() throws Exception {
    Steps steps = steps(store);
    queue.add("a1");
    store.isDown = true;
    assertThat(steps.linesOfSeconds(20)).hasSizeBetween(8, 12);
    store.isDown = false;
    steps.linesOfSeconds(2);
    queue.add("a2");
    store.isDown = true;
    assertThat(steps.linesOfSeconds(2)).anyMatch(line -> line.contains("was not processed"));
  }

  @Test
  void nextFailureOfAHandlerThatParksNothingIsToldAtOnce() throws Exception {
    Steps steps = steps(batch -> store.handle(batch));
    queue.add("a1");
    store.work = Optional.of(new IllegalStateException("planted"));
    assertThat(steps.linesOfSeconds(20)).hasSizeBetween(4, 6);
    store.work = Optional.empty();
    steps.linesOfSeconds(2);
    queue.add("a2");
    store.work = Optional.of(new IllegalStateException("planted"));
    assertThat(steps.linesOfSeconds(2)).anyMatch(line -> line.contains("planted"));
  }

  @Test
  void retriesTellTheNextOutageAtOnce() throws Exception {
    Steps steps = steps(store);
    store.isDown = true;
    assertThat(steps.linesOfSeconds(20)).hasSizeBetween(4, 6);
    store.isDown = false;
    steps.linesOfSeconds(2);
    store.isDown = true;
    assertThat(steps.linesOfSeconds(2)).anyMatch(line -> line.contains("could not read or change"));
  }

  @Test
  void retriesTellTheNextOutageOfAMessageAtOnce() throws Exception {
    Steps steps = steps(store);
    store.work = Optional.of(ScriptedStore.down());
    store.isDue(ParkedReceived.of(ScriptedQueue.read("a1")));
    assertThat(steps.linesOfSeconds(20)).hasSizeBetween(4, 6);
    store.work = Optional.empty();
    steps.linesOfSeconds(2);
    store.work = Optional.of(ScriptedStore.down());
    store.isDue(ParkedReceived.of(ScriptedQueue.read("a2")));
    assertThat(steps.linesOfSeconds(2)).anyMatch(line -> line.contains("was not processed"));
  }

  @Test
  void nextLackOfRoomIsToldAtOnce() throws Exception {
    Steps steps = steps(store);
    store.work = Optional.of(new IllegalStateException("planted"));
    store.isFull = true;
    queue.add("a1");
    assertThat(steps.linesOfSeconds(20)).hasSizeBetween(4, 6);
    store.isFull = false;
    steps.linesOfSeconds(2);
    store.isFull = true;
    queue.add("a2");
    assertThat(steps.linesOfSeconds(2))
        .anyMatch(line -> line.contains("parked messages is reached"));
  }

  private Steps steps(BatchHandler handler) throws Exception {
    ReceiverContext context =
        new ReceiverContext(
            "queue", OPTIONS, ReceiverListener.NONE, clock, new SplittableRandom(1));
    return new Steps(new Receiver<>(handler, context, kept.quiet("receiver queue", clock)));
  }

  /** Steps a receiver and its retries once a second. */
  private final class Steps {

    private final Receiver<String> receiver;
    private final QueueSource<String> source =
        new QueueSource<>(queue.open(), clock, pause -> {}, () -> false);

    Steps(Receiver<String> receiver) throws Exception {
      this.receiver = receiver;
    }

    /** Returns the lines of some seconds. */
    List<String> linesOfSeconds(int seconds) {
      int before = kept.lines().size();
      for (int second = 0; second < seconds; second++) {
        receiver.step(source);
        receiver.retries().ifPresent(ParkedRetries::step);
        clock.nanos += 1_000_000_000;
      }
      return kept.lines().subList(before, kept.lines().size());
    }
  }
}
