// SPDX-License-Identifier: Apache-2.0
package io.outledger.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import io.outledger.relay.context.SetTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class QuietLogTest {

  private final SetTime clock = new SetTime();
  private final KeptLog kept = new KeptLog(Level.INFO);
  private final QuietLog log = kept.quiet("relay orders", clock);

  private void pass(Duration time) {
    clock.nanos += time.toNanos();
  }

  private void fail(String text) {
    log.fails(Level.ERROR, "step", () -> "failed", new IllegalStateException(text));
  }

  private int linesOf(int seconds, Runnable everySecond) {
    int before = kept.lines().size();
    for (int i = 0; i < seconds; i++) {
      everySecond.run();
      pass(Duration.ofSeconds(1));
    }
    return kept.lines().size() - before;
  }

  @Test
  void burstIsOneLineAndItsCountFollowsWhenTheSecondIsOverThoughNothingElseHappens() {
    for (int i = 1; i <= 4; i++) {
      String words = "parked " + i;
      log.say(Level.WARN, "parked", () -> words);
      pass(Duration.ofMillis(100));
    }
    assertThat(kept.lines()).containsExactly("WARN relay orders: parked 1");
    assertThat(kept.waitingMillis()).containsExactly(900L);
    pass(Duration.ofMillis(600));
    kept.runLater();
    assertThat(kept.lines())
        .last()
        .isEqualTo("WARN relay orders: parked 4 (and 2 more such events)");
    assertThat(kept.lines()).hasSize(2);
    assertThat(kept.waitingMillis()).isEmpty();
  }

  @Test
  void whatComesOnceASecondIsToldEachTimeAndKindsDoNotHideOneAnother() {
    int lines =
        linesOf(
            100,
            () -> {
              log.say(Level.WARN, "parked", () -> "parked");
              log.say(Level.WARN, "died", () -> "died");
            });
    assertThat(lines).isEqualTo(200);
  }

  @Test
  void countOfOneIsSingularAndAWaitThatTheClockDoesNotShowEndsAllTheSame() {
    for (int i = 0; i < 3; i++) {
      log.say(Level.WARN, "parked", () -> "parked");
    }
    kept.runLater();
    assertThat(kept.lines()).last().asString().endsWith("parked (and 1 more such event)");
    assertThat(kept.waitingMillis()).isEmpty();
  }

  @Test
  void failureThatLastsIsToldEverMoreRarelyButOnceAMinuteAndItsTraceOnce() {
    int lines = linesOf(3_600, () -> fail("no room at " + clock.nanos + " bytes"));
    assertThat(lines).isBetween(60, 70);
    assertThat(kept.traces()).hasSize(1);
    assertThat(kept.lines())
        .last()
        .asString()
        .startsWith("ERROR relay orders: failed: java.lang.IllegalStateException: no room at ")
        .endsWith(" (and 59 more such events)");
  }

  @Test
  void anotherCauseIsToldWithItsTraceWithinASecond() {
    linesOf(300, () -> fail("no room"));
    fail("no rights");
    assertThat(kept.lines()).last().asString().contains("no rights");
    assertThat(kept.traces()).hasSize(2);
  }

  @Test
  void causesWithoutEndShareOneInTheEnd() {
    int lines =
        linesOf(
            3_600,
            () -> {
              for (int i = 0; i < 10; i++) {
                fail("no customer " + letters((int) (clock.nanos % 26_000) + i));
              }
            });
    assertThat(lines).isLessThan(4 * 60);
    assertThat(kept.traces()).hasSizeLessThanOrEqualTo(QuietLog.CAUSES_MAX + 61);
  }

  private String letters(int number) {
    StringBuilder letters = new StringBuilder();
    for (long left = number + clock.nanos; left > 0; left /= 26) {
      letters.append((char) ('a' + left % 26));
    }
    return letters.toString();
  }

  @Test
  void causeThatIsOverOrWasAwayForLongStartsAnew() {
    linesOf(100, () -> fail("no room"));
    int before = kept.lines().size();
    log.over("step");
    assertThat(kept.lines()).hasSize(before + 1).last().asString().contains("more such event");
    pass(Duration.ofSeconds(1));
    fail("no room");
    assertThat(kept.lines()).hasSize(before + 2);
    assertThat(kept.traces()).hasSize(1);

    pass(Duration.ofSeconds(61));
    fail("no room");
    assertThat(kept.lines()).hasSize(before + 3);
    assertThat(kept.traces()).hasSize(2);
  }

  @Test
  void restOfOneCauseDoesNotWaitForTheLongPauseOfAnother() {
    linesOf(100, () -> fail("no room"));
    kept.runLater();
    fail("no room");
    assertThat(kept.waitingMillis()).last().asInstanceOf(LONG).isGreaterThan(10_000);
    fail("no rights");
    fail("no rights");
    assertThat(kept.waitingMillis()).last().isEqualTo(1_000L);
    kept.runLater();
    assertThat(kept.lines()).last().asString().contains("no rights");
  }

  @Test
  void failureThatComesAndGoesAllTheTimeIsStillOneLineASecond() {
    for (int i = 0; i < 1_000; i++) {
      fail("no room");
      log.over("step");
      pass(Duration.ofMillis(10));
    }
    assertThat(kept.lines()).hasSizeLessThanOrEqualTo(11);
  }

  @Test
  void restIsToldAtTheEnd() {
    log.say(Level.INFO, "saved", () -> "saved 1");
    log.say(Level.INFO, "saved", () -> "saved 2");
    log.tellRest();
    log.tellRest();
    assertThat(kept.lines())
        .containsExactly("INFO relay orders: saved 1", "INFO relay orders: saved 2");
    kept.runLater();
    assertThat(kept.lines()).hasSize(2);
  }

  @Test
  void whatIsNotAskedForIsNeitherCountedNorPutIntoWords() {
    log.say(
        Level.DEBUG,
        "held",
        () -> {
          throw new AssertionError("not asked for");
        });
    assertThat(kept.lines()).isEmpty();
    assertThat(kept.waitingMillis()).isEmpty();
  }

  @Test
  void failureThatRefusesToSayWhatItIsDoesNoHarm() {
    log.fails(
        Level.ERROR,
        "step",
        () -> "failed",
        new RuntimeException() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new IllegalStateException("planted");
          }

          @Override
          public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("planted");
          }
        });
    assertThat(kept.lines()).hasSize(1);
  }

  @Test
  void lineOfAForgedFailureIsOneLine() {
    fail("bad\r\nWARN all is well");
    assertThat(kept.lines().get(0)).endsWith("bad\\r\\nWARN all is well");
  }

  @Test
  void whereThereIsNoThreadToTellTheRestTheNextLineTellsIt() {
    QuietLog alone =
        new QuietLog(
            kept,
            "relay orders",
            clock,
            (nanos, task) -> {
              throw new OutOfMemoryError("planted");
            });
    alone.say(Level.WARN, "parked", () -> "parked");
    alone.say(Level.WARN, "parked", () -> "parked");
    pass(Duration.ofSeconds(1));
    alone.say(Level.WARN, "parked", () -> "parked");
    assertThat(kept.lines()).last().asString().endsWith("(and 1 more such event)");
  }
}
