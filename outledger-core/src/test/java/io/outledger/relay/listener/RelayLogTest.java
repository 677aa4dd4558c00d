// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.context.SetTime;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class RelayLogTest {

  private static final RelayEvent LOST = new RelayEvent.LeaseLost("closed", 0);
  private static final RelayEvent PARKED = new RelayEvent.Parked(subject(3), 1, "too large");

  private final SetTime clock = new SetTime();
  private final KeptLog kept = new KeptLog(Level.DEBUG);
  private final RelayLog log = new RelayLog("orders", clock, kept);

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
            "WARN relay orders: " + RelayWords.of(LOST) + " (and 2 more of this kind)",
            "WARN relay orders: " + RelayWords.of(LOST));
  }

  @Test
  void whatWasLeftUnsaidIsToldWhenAnythingElseHappensOrTheRelayEnds() {
    log.on(new RelayEvent.Died(subject(1), 10, "bad"));
    log.on(new RelayEvent.Died(subject(2), 10, "bad"));
    log.on(new RelayEvent.Died(subject(3), 10, "worse"));
    assertThat(kept.lines()).hasSize(1);
    clock.nanos += 1_000_000_000;
    log.on(new RelayEvent.Saved(Frontier.START, 1, 0));
    assertThat(kept.lines()).hasSizeGreaterThan(1);
    assertThat(kept.lines())
        .filteredOn(line -> line.startsWith("ERROR"))
        .hasSize(2)
        .last()
        .satisfies(
            line ->
                assertThat(line)
                    .contains("2 more of this kind; the last one", "position 3", "worse"));
    log.on(LOST);
    log.on(LOST);
    int before = kept.lines().size();
    log.on(new RelayEvent.Closed());
    assertThat(kept.lines()).hasSize(before + 2);
  }

  @Test
  void whatIsNotAskedForIsNotCounted() {
    KeptLog quiet = new KeptLog(Level.WARN);
    RelayLog quietLog = new RelayLog("orders", clock, quiet);
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
    assertThat(levelOf(new RelayEvent.OutageMet("kafka", "down", 1, Duration.ZERO)))
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
            "INFO relay orders: took the lease as 00000000-0000-0001-0000-000000000002 and"
                + " continues from position 9 with open [3-4, 7]",
            "INFO relay orders: released the lease at position 0");
  }

  private String levelOf(RelayEvent event) {
    KeptLog one = new KeptLog(Level.DEBUG);
    new RelayLog("orders", clock, one).on(event);
    return one.lines().get(0).split(" ", 2)[0];
  }
}
