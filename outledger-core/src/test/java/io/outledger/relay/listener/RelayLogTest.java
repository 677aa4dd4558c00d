// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.log.KeptLog;
import io.outledger.relay.context.SetTime;
import io.outledger.store.Declaration;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class RelayLogTest {

  private static final RelayEvent LOST = new RelayEvent.LeaseLost("closed", 0);
  private static final RelayEvent PARKED = new RelayEvent.Parked(subject(3), 1, "too large");

  private final SetTime clock = new SetTime();
  private final KeptLog kept = new KeptLog(Level.DEBUG);
  private final RelayLog log = new RelayLog(kept.quiet("relay orders", clock));

  @Test
  void sameKindIsToldOnceASecondWithTheNumberOfThoseItStandsFor() {
    log.on(LOST);
    log.on(LOST);
    clock.nanos += 999_999_999;
    log.on(LOST);
    log.on(PARKED);
    clock.nanos++;
    log.on(LOST);
    clock.nanos += 1_000_000_000;
    log.on(LOST);
    assertThat(kept.lines())
        .containsExactly(
            "WARN relay orders: " + RelayWords.of(LOST),
            "WARN relay orders: " + RelayWords.of(PARKED),
            "WARN relay orders: " + RelayWords.of(LOST) + " (and 2 more such events)",
            "WARN relay orders: " + RelayWords.of(LOST));
  }

  @Test
  void whatWasLeftUnsaidIsToldAfterASecondThoughNothingElseHappensAndBeforeTheRelayEnds() {
    log.on(new RelayEvent.Died(subject(1), 10, "bad"));
    log.on(new RelayEvent.Died(subject(2), 10, "bad"));
    log.on(new RelayEvent.Died(subject(3), 10, "worse"));
    assertThat(kept.lines()).hasSize(1);
    clock.nanos += 1_000_000_000;
    kept.runLater();
    assertThat(kept.lines()).hasSize(2);
    assertThat(kept.lines().get(1))
        .startsWith("ERROR")
        .contains("position 3", "worse")
        .endsWith(" (and 1 more such event)");
    log.on(LOST);
    log.on(LOST);
    int before = kept.lines().size();
    log.on(new RelayEvent.Closed());
    assertThat(kept.lines()).hasSize(before + 2).last().isEqualTo("INFO relay orders: was closed");
  }

  @Test
  void outageThatLastsIsToldEverMoreRarelyAndTheNextOneAtOnce() {
    for (int failures = 1; failures <= 1_000; failures++) {
      log.on(new RelayEvent.OutageBegan("kafka", "no answer", failures, Duration.ofSeconds(1)));
      clock.nanos += 1_000_000_000;
    }
    assertThat(kept.lines()).hasSizeBetween(16, 25);
    log.on(new RelayEvent.OutageOver("kafka"));
    clock.nanos += 1_000_000_000;
    int before = kept.lines().size();
    log.on(new RelayEvent.OutageBegan("kafka", "no answer", 1, Duration.ofSeconds(1)));
    assertThat(kept.lines()).hasSize(before + 1);
  }

  @Test
  void nothingOfAnOutageIsToldAfterItsEnd() {
    RelayEvent began = new RelayEvent.OutageBegan("", "no answer", 1, Duration.ofSeconds(1));
    log.on(began);
    log.on(began);
    log.on(began);
    log.on(new RelayEvent.OutageOver(""));
    clock.nanos += 2_000_000_000;
    kept.runLater();
    assertThat(kept.lines()).hasSize(2);
    assertThat(kept.lines().get(1)).endsWith("the destination is reachable again");
    for (int i = 0; i < 30; i++) {
      clock.nanos += 1_000_000_000;
      log.on(began);
    }
    log.on(new RelayEvent.OutageOver(""));
    assertThat(kept.lines()).last().asString().endsWith("the destination is reachable again");
  }

  /** Whoever has neither the lease nor a thread makes none. */
  @Test
  void noNextAttemptIsAnnouncedOnceTheRelayHasEnded() {
    RelayEvent began = new RelayEvent.OutageBegan("", "no answer", 1, Duration.ofSeconds(1));
    RelayEvent failed = new RelayEvent.StoreFailed("no connection");
    for (int i = 0; i < 3; i++) {
      log.on(began);
      log.on(failed);
    }
    log.on(new RelayEvent.LeaseReleased(Frontier.START));
    log.on(new RelayEvent.Closed());
    clock.nanos += 2_000_000_000;
    kept.runLater();
    assertThat(kept.lines())
        .containsExactly(
            "WARN relay orders: " + RelayWords.of(began),
            "WARN relay orders: " + RelayWords.of(failed),
            "INFO relay orders: released the lease at position 0",
            "INFO relay orders: was closed");
  }

  @Test
  void tooManyOpenPositionsAreToldWithTheirCode() {
    log.on(new RelayEvent.TooManyOpen(200_001, "pid 7, 3 hours, INSERT"));
    assertThat(kept.lines())
        .containsExactly(
            "ERROR relay orders: OUT-017 stopped reading because 200001 ranges of positions are"
                + " open; end the blocking transaction: pid 7, 3 hours, INSERT");
  }

  @Test
  void messagesInRoutesThatAreGoneAreToldForEachRoute() {
    log.on(new RelayEvent.ParkedElsewhere("old\n", 1));
    log.on(new RelayEvent.ParkedElsewhere("older", 2));
    kept.runLater();
    assertThat(kept.lines())
        .containsExactly(
            "WARN relay orders: 1 message is parked in route old\\n"
                + ", a handler or destination that this relay does not have, until a relay that has"
                + " it runs or an operator discards them",
            "WARN relay orders: 2 messages are parked in route older, a handler or destination that"
                + " this relay does not have, until a relay that has it runs or an operator"
                + " discards them");
  }

  @Test
  void whatIsLackedIsToldWithWhatHelpsAndSoIsItsEnd() {
    Declaration refunds = new Declaration("refunds", Declaration.Takes.TYPE, "refunded v1");
    log.on(new RelayEvent.Lacks(Set.of(refunds)));
    clock.nanos += 1_000_000_000;
    log.on(new RelayEvent.Lacks(Set.of()));
    assertThat(kept.lines()).hasSize(2);
    assertThat(kept.lines().get(0))
        .startsWith("WARN")
        .contains("route refunds, type refunded v1", "parks its messages")
        .contains("start an instance that has it");
    assertThat(kept.lines().get(1)).startsWith("INFO").contains("has everything");
  }

  @Test
  void durationsAndCountsAreInWords() {
    assertThat(
            RelayWords.of(
                new RelayEvent.OutageBegan("kafka", "down", 3, Duration.ofNanos(800_400_000))))
        .contains("next probe in 800 ms");
    assertThat(RelayWords.of(new RelayEvent.Overdue(subject(1), Duration.ofSeconds(75))))
        .contains("for 75 s");
    assertThat(RelayWords.of(new RelayEvent.LeaseLost("closed", 1))).contains("1 message in");
    assertThat(RelayWords.of(PARKED)).contains("(1 failed attempt)");
  }

  @Test
  void whatIsNotAskedForIsNotCounted() {
    KeptLog quiet = new KeptLog(Level.WARN);
    RelayLog quietLog = new RelayLog(quiet.quiet("relay orders", clock));
    quietLog.on(new RelayEvent.OutageOver("kafka"));
    assertThat(quiet.lines()).isEmpty();
    quietLog.on(PARKED);
    assertThat(quiet.lines()).hasSize(1);
  }

  @Test
  void kindSaysHowLoudItIs() {
    assertThat(levelOf(new RelayEvent.Saved(Frontier.START, 1, 0))).isEqualTo("DEBUG");
    assertThat(levelOf(new RelayEvent.Held(subject(1)))).isEqualTo("DEBUG");
    assertThat(levelOf(new RelayEvent.Died(subject(1), 10, "bad"))).isEqualTo("ERROR");
    assertThat(levelOf(new RelayEvent.TooManyOpen(9, "pid 1"))).isEqualTo("ERROR");
    assertThat(levelOf(new RelayEvent.BreakerOpened("kafka", "t", "y", "gone"))).isEqualTo("ERROR");
    assertThat(levelOf(LOST)).isEqualTo("WARN");
    assertThat(levelOf(PARKED)).isEqualTo("WARN");
    assertThat(levelOf(new RelayEvent.OutageBegan("kafka", "down", 1, Duration.ZERO)))
        .isEqualTo("WARN");
    assertThat(levelOf(new RelayEvent.OvertakenByKey(subject(1)))).isEqualTo("WARN");
    assertThat(levelOf(new RelayEvent.StoreFailed("gone"))).isEqualTo("WARN");
    assertThat(levelOf(new RelayEvent.HolesDropped(Positions.of(1)))).isEqualTo("INFO");
    assertThat(levelOf(new RelayEvent.LeaseTaken(new UUID(1, 2), Frontier.START)))
        .isEqualTo("INFO");
  }

  private static Subject subject(long position) {
    return new Subject(new UUID(0, position), "customer 7\n", position, "kafka");
  }

  @Test
  void lineAboutAMessageNamesItAndForgesNoOther() {
    log.on(new RelayEvent.Died(subject(3), 10, "bad\r\nWARN relay orders: all is well"));
    assertThat(kept.lines())
        .containsExactly(
            "ERROR relay orders: message 00000000-0000-0000-0000-000000000003 with key customer"
                + " 7\\n"
                + " at position 3 in route kafka became a dead letter after 10 failed attempts; fix"
                + " the cause, then retry or discard it: bad\\r"
                + "\\n"
                + "WARN relay orders: all is well");
  }

  @Test
  void leaseLineSaysWhereTheRelayGoesOn() {
    log.on(new RelayEvent.LeaseTaken(new UUID(1, 2), new Frontier(9, Positions.of(3, 4, 7))));
    log.on(new RelayEvent.LeaseReleased(Frontier.START));
    assertThat(kept.lines())
        .containsExactly(
            "INFO relay orders: took the lease and continues from position 9 (not done yet up to"
                + " there: [3-4, 7])",
            "INFO relay orders: released the lease at position 0");
  }

  private String levelOf(RelayEvent event) {
    KeptLog one = new KeptLog(Level.DEBUG);
    new RelayLog(one.quiet("relay orders", clock)).on(event);
    return one.lines().get(0).split(" ", 2)[0];
  }
}
