// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.log.KeptLog;
import io.outledger.relay.context.SetTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class ReceiverLogTest {

  private static final Received RECEIVED =
      new Received(
          "/shop", "7\n", "orders", "customer 7", "placed", 1, new byte[0], Map.of(), null, "", "");
  private static final ParkedReceived MESSAGE = ParkedReceived.of(RECEIVED);
  private static final String NAMED =
      "message 7\\n from /shop (topic orders, type placed, key customer 7)";

  private final SetTime clock = new SetTime();
  private final KeptLog kept = new KeptLog(Level.INFO);
  private final List<ReceiverEvent> heard = new ArrayList<>();
  private final ReceiverLog log =
      new ReceiverLog(kept.quiet("receiver billing", clock), heard::add);

  private static ReceiverEvent parked(int attempts) {
    return new ReceiverEvent.Parked(MESSAGE, attempts, "too\nlarge", Duration.ofNanos(800_400_000));
  }

  @Test
  void lineAboutAMessageNamesItInWordsAndForgesNoOther() {
    log.on(parked(1));
    assertThat(kept.lines())
        .containsExactly(
            "WARN receiver billing: "
                + NAMED
                + " was parked after 1 failed attempt; next attempt in 800 ms; later messages with"
                + " its key wait: too\\nlarge");
  }

  @Test
  void lineAboutAMessageTellsWhereTheBrokerHasIt() {
    log.about(List.of(new Arrival<>("orders-3@17\n", 1, RECEIVED, null)));
    log.on(new ReceiverEvent.Died(MESSAGE, 10, "bad"));
    assertThat(kept.lines().get(0)).contains(NAMED + " at orders-3@17\\n became a dead letter");
  }

  @Test
  void countOfTheLastBurstIsToldThoughNothingFollows() {
    for (int i = 0; i < 5; i++) {
      log.on(parked(2));
    }
    assertThat(kept.lines()).hasSize(1);
    clock.nanos += 1_000_000_000;
    kept.runLater();
    assertThat(kept.lines()).hasSize(2).last().asString().endsWith(" (and 3 more such events)");
  }

  @Test
  void outageOfTheDatabaseIsToldEverMoreRarely() {
    for (int i = 0; i < 1_000; i++) {
      log.on(new ReceiverEvent.RetriesFailed("connection refused"));
      log.on(new ReceiverEvent.Unavailable(MESSAGE, "connection refused", Duration.ofSeconds(1)));
      clock.nanos += 1_000_000_000;
    }
    assertThat(kept.lines()).hasSizeBetween(40, 50);
  }

  @Test
  void everyEventHasWordsOfItsOwn() {
    Duration wait = Duration.ofSeconds(30);
    KeptLog all = new KeptLog(Level.DEBUG);
    ReceiverLog loud = new ReceiverLog(all.quiet("receiver billing", clock), heard::add);
    List<ReceiverEvent> events =
        List.of(
            parked(2),
            new ReceiverEvent.Held(MESSAGE),
            new ReceiverEvent.Died(MESSAGE, 10, "bad"),
            new ReceiverEvent.Recovered(MESSAGE),
            new ReceiverEvent.Discarded(MESSAGE),
            new ReceiverEvent.Full(MESSAGE, 10_000, wait),
            new ReceiverEvent.Unavailable(MESSAGE, "down", wait),
            new ReceiverEvent.BreakerOpened("orders", "placed", "bad"),
            new ReceiverEvent.BreakerClosed("orders", "placed"),
            new ReceiverEvent.BreakerForgotten("orders", "placed"),
            new ReceiverEvent.RetriesFailed("down"));
    events.forEach(loud::on);
    assertThat(all.lines()).hasSameSizeAs(events);
    assertThat(all.lines())
        .noneMatch(line -> line.contains("PT") || line.contains("ReceiverEvent"));
    assertThat(heard).isEqualTo(events);
  }

  @Test
  void listenerThatThrowsIsToldOnceAndDoesNoHarm() {
    ReceiverLog bad =
        new ReceiverLog(
            kept.quiet("receiver billing", clock),
            event -> {
              throw new AssertionError("planted");
            });
    for (int i = 0; i < 1_000; i++) {
      bad.on(new ReceiverEvent.Held(MESSAGE));
    }
    assertThat(kept.lines()).hasSize(1);
    assertThat(kept.traces()).hasSize(1);
  }

  @Test
  void unreadableDeliveriesAreALineASecondWithTheirCount() {
    ScriptedQueue queue = new ScriptedQueue();
    queue.notes = true;
    Receiver<String> receiver = receiver(batch -> {});
    for (int i = 0; i < 100; i++) {
      queue.add("a" + i + "\n?");
    }
    step(receiver, queue);
    assertThat(queue.noted()).hasSize(100);
    kept.runLater();
    assertThat(kept.lines())
        .containsExactly(
            "WARN receiver queue: set aside the unreadable delivery at a0\\n?: OUT-014 no message",
            "WARN receiver queue: set aside the unreadable delivery at a99\\n?: OUT-014 no message"
                + " (and 98 more such events)");
  }

  @Test
  void streamsThatFailForOneCauseAreOneLineASecondWithOneTrace() {
    ScriptedQueue queue = new ScriptedQueue();
    Receiver<String> receiver =
        receiver(
            batch -> {
              throw new InvalidMessageException(ErrorCode.INVALID_MESSAGE, "planted");
            });
    queue.add("a1", "b1", "c1");
    step(receiver, queue);
    assertThat(kept.lines()).hasSize(1);
    assertThat(kept.lines().get(0))
        .startsWith(
            "ERROR receiver queue: could not process message a1 from /orders (topic orders, type t)"
                + " at a1 (failure 1 in a row); its stream pauses for ");
    kept.runLater();
    assertThat(kept.lines()).hasSize(2);
    assertThat(kept.traces()).hasSize(1);
  }

  @Test
  void brokerThatGivesUpAMessageAfterFewDeliveriesIsToldOnce() {
    Receiver<String> receiver = receiver(batch -> {});
    receiver.tell(new DeliveryLimit(null, "some brokers drop it"));
    receiver.tell(new DeliveryLimit(100, "the queue drops it after 100"));
    assertThat(kept.lines()).isEmpty();
    for (int openings = 0; openings < 3; openings++) {
      receiver.tell(new DeliveryLimit(99, "the queue drops it after 99"));
      clock.nanos += Duration.ofDays(1).toNanos();
    }
    assertThat(kept.lines())
        .containsExactly("WARN receiver queue: OUT-039 the queue drops it after 99");
  }

  private Receiver<String> receiver(BatchHandler handler) {
    return new Receiver<>(
        handler,
        new ReceiverContext(
            "queue",
            ReceiverOptions.DEFAULT,
            ReceiverListener.NONE,
            clock,
            new SplittableRandom(1)),
        kept.quiet("receiver queue", clock));
  }

  private void step(Receiver<String> receiver, ScriptedQueue queue) {
    try {
      receiver.step(new QueueSource<>(queue.open(), clock, pause -> {}, () -> false));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
