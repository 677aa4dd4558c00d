// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static io.outledger.relay.RelayBench.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.StepReport.State;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.testing.InMemoryTransaction;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RelayTest {

  private final RelayBench bench = new RelayBench();

  @Test
  void committedMessagesArePublishedInOrderAndOnce() {
    bench.append("a", 1, 3);
    Relay relay = bench.relay();
    bench.steps(relay, 4);
    assertThat(bench.published()).containsExactly("a1", "a2", "a3");
    assertThat(frontier()).isEqualTo(new Frontier(3, Positions.NONE));
  }

  @Test
  void messageCommittedLateIsPublishedThoughHigherNumbersWereBefore() {
    Relay relay = bench.relay();
    InMemoryTransaction late = bench.ledger.begin();
    late.append(message("late", 1));
    bench.append("a", 1, 2);
    bench.steps(relay, 5);
    assertThat(bench.published()).containsExactly("a1", "a2");
    assertThat(frontier().open()).isEqualTo(Positions.of(1));
    late.commit();
    bench.steps(relay, 2);
    assertThat(bench.published()).containsExactly("a1", "a2", "late1");
    assertThat(frontier().open()).isEqualTo(Positions.NONE);
  }

  @Test
  void rolledBackHoleIsDroppedOnceItIsProvenDead() {
    Relay relay = bench.relay();
    InMemoryTransaction rolledBack = bench.ledger.begin();
    rolledBack.append(message("ghost", 1));
    bench.append("a", 1, 1);
    rolledBack.rollback();
    bench.steps(relay, 6);
    assertThat(bench.published()).containsExactly("a1");
    assertThat(frontier().open()).isEqualTo(Positions.NONE);
    assertThat(bench.events(RelayEvent.HolesDropped.class))
        .containsExactly(new RelayEvent.HolesDropped(Positions.of(1)));
  }

  @Test
  void holesAreDroppedThoughForeignTransactionHoldsTheHorizonBack() {
    Relay relay = bench.relay();
    try (InMemoryTransaction foreign = bench.ledger.begin()) {
      foreign.writeElsewhere();
      InMemoryTransaction rolledBack = bench.ledger.begin();
      rolledBack.append(message("ghost", 1));
      bench.append("a", 1, 1);
      rolledBack.rollback();
      bench.steps(relay, 20);
      assertThat(frontier().open()).isEqualTo(Positions.of(1));
      bench.steps(relay, 120);
      assertThat(frontier().open()).isEqualTo(Positions.NONE);
    }
  }

  @Test
  void holeThatHasGrownOldIsDroppedThoughForeignTransactionHoldsTheHorizonBack() {
    Relay relay = bench.relay();
    try (InMemoryTransaction foreign = bench.ledger.begin()) {
      foreign.writeElsewhere();
      InMemoryTransaction slow = bench.ledger.begin();
      slow.append(message("ghost", 1));
      for (int second = 1; second <= 20; second++) {
        bench.append("a", second, second);
        bench.steps(relay, 50);
      }
      assertThat(frontier().open()).isEqualTo(Positions.of(1));
      slow.rollback();
      bench.steps(relay, 150);
      assertThat(frontier().open()).isEqualTo(Positions.NONE);
    }
  }

  @Test
  void holeStaysWhileItsWriterIsOpenWhateverElseHappens() {
    Relay relay = bench.relay();
    InMemoryTransaction late = bench.ledger.begin();
    late.append(message("late", 1));
    for (int second = 1; second <= 20; second++) {
      bench.append("a", second, second);
      bench.steps(relay, 50);
    }
    assertThat(frontier().open()).isEqualTo(Positions.of(1));
    late.commit();
    bench.steps(relay, 3);
    assertThat(bench.published("late")).containsExactly("late1");
  }

  @Test
  void standbyTakesOverWhenTheLeaseHasLapsed() {
    Relay owner = bench.relay();
    Relay standby = bench.relay();
    bench.append("a", 1, 1);
    bench.steps(owner, 3);
    bench.steps(standby, 1);
    bench.append("a", 2, 2);
    bench.clock.advance(Duration.ofSeconds(9));
    assertThat(standby.step().state()).isEqualTo(State.STANDBY);
    bench.clock.advance(Duration.ofSeconds(2));
    bench.steps(standby, 3);
    assertThat(bench.published()).containsExactly("a1", "a2");
    assertThat(owner.step().state()).isEqualTo(State.STANDBY);
    assertThat(bench.events(RelayEvent.LeaseLost.class)).hasSize(1);
  }

  @Test
  void frozenOwnerPublishesAndSavesNothingAfterItsSuccessor() {
    Relay frozen = bench.relay();
    bench.publisher.holdOutcomes();
    bench.append("a", 1, 1);
    bench.steps(frozen, 2);
    Relay successor = bench.relay();
    successor.step();
    bench.clock.advance(Duration.ofSeconds(11));
    bench.steps(successor, 2);
    bench.publisher.releaseOutcomes();
    bench.append("a", 2, 2);
    Frontier before = frontier();
    frozen.step();
    assertThat(frontier()).isEqualTo(before);
    bench.steps(successor, 2);
    assertThat(bench.published()).containsExactly("a1", "a1", "a2");
    assertThat(bench.publisher.handedOverAfterClose()).isEmpty();
  }

  @Test
  void handOverLeavesNoDuplicateAndLetsTheStandbyGoOnAtOnce() {
    Relay owner = bench.relay();
    Relay standby = bench.relay();
    bench.append("a", 1, 5);
    bench.publisher.holdOutcomes();
    bench.steps(owner, 2);
    owner.handOver();
    assertThat(owner.step().state()).isEqualTo(State.OWNER);
    bench.publisher.releaseOutcomes();
    assertThat(owner.step().state()).isEqualTo(State.RELEASED);
    bench.append("a", 6, 6);
    bench.steps(standby, 3);
    assertThat(bench.published()).containsExactly("a1", "a2", "a3", "a4", "a5", "a6");
  }

  @Test
  void saveOfUnknownOutcomeMakesTheRelayLoadAgain() {
    Relay relay = bench.relay();
    bench.append("a", 1, 1);
    relay.step();
    bench.ledger.faults().loseReplies(2);
    for (int i = 0; i < 10; i++) {
      bench.steps(relay, 1);
    }
    assertThat(bench.published()).containsOnly("a1");
    assertThat(frontier()).isEqualTo(new Frontier(1, Positions.NONE));
  }

  @Test
  void serverSwitchedUnseenMakesTheRelayLoadAgain() {
    Relay relay = bench.relay();
    bench.append("a", 1, 1);
    bench.steps(relay, 3);
    bench.ledger.faults().failOver();
    bench.append("a", 2, 2);
    assertThat(relay.step()).isEqualTo(new StepReport(State.STANDBY, 0, 0, 0, Duration.ZERO));
    bench.steps(relay, 4);
    assertThat(bench.events(RelayEvent.LeaseLost.class))
        .extracting(RelayEvent.LeaseLost::reason)
        .containsExactly("a different server answered");
    assertThat(bench.published()).containsExactly("a1", "a2");
  }

  @Test
  void brokenConditionStopsTheRelayLoudlyUntilItIsMended() {
    Relay relay = bench.relay();
    bench.append("a", 1, 1);
    bench.ledger.faults().breakCondition(ErrorCode.LEDGER_ALTERED);
    assertThatThrownBy(relay::step)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-008");
    assertThat(bench.published()).isEmpty();
    bench.ledger.faults().restorePreconditions();
    bench.steps(relay, 3);
    assertThat(bench.published()).containsExactly("a1");
  }

  @Test
  void relayThatTheDatabaseFailsComesBackSoonAndThenLessAndLessOften() {
    for (int i = 0; i < 20; i++) {
      bench.ledger.faults().failNext(1);
      Relay relay = bench.relay();
      assertThat(relay.step().state()).isEqualTo(State.RECOVERING);
      bench.ledger.faults().failNext(1);
      assertThat(relay.step().nextIn()).isLessThanOrEqualTo(Duration.ofMillis(200));
      relay.step();
      bench.ledger.faults().failNext(1);
      assertThat(relay.step().nextIn()).isLessThanOrEqualTo(Duration.ofMillis(100));
    }
    Relay relay = bench.relay();
    bench.ledger.faults().failNext(100);
    List<Duration> pauses = Stream.generate(() -> relay.step().nextIn()).limit(100).toList();
    assertThat(pauses).allMatch(pause -> pause.compareTo(Duration.ofSeconds(1)) <= 0);
    assertThat(pauses).anyMatch(pause -> pause.compareTo(Duration.ofMillis(800)) > 0);
  }

  @Test
  void ownerLooksLessAndLessOftenUntilMessagesCome() {
    Duration busy = Duration.ofMillis(1);
    bench.options =
        RelayBench.options()
            .polling(p -> p.withBusy(busy))
            .polling(p -> p.withIdle(RelayBench.LEASE))
            .build();
    Relay relay = bench.relay();
    relay.step();
    bench.clock.advance(Duration.ofSeconds(2));
    assertThat(relay.step().nextIn()).isEqualTo(Duration.ofMillis(200));
    bench.append("a", 1, 1);
    assertThat(relay.step().nextIn()).isEqualTo(busy);
  }

  @Test
  void standbyLooksAsOftenAsItsLeaseAsksFor() {
    bench.steps(bench.relay(), 1);
    assertThat(bench.relay().step().nextIn()).isEqualTo(Duration.ofMillis(500));
    bench.options = RelayBench.options().lease(Duration.ofSeconds(2)).build();
    assertThat(bench.relay().step().nextIn()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void errorEndsTheGrantAndIsThrown() {
    bench.failWhenItParks();
    Relay relay = bench.relay();
    bench.append("a", 1, 1);
    relay.step();
    assertThatThrownBy(relay::step).hasMessage("planted");
    assertThat(bench.events(RelayEvent.LeaseLost.class))
        .containsExactly(
            new RelayEvent.LeaseLost("the relay failed: java.lang.LinkageError: planted", 0));
    assertThat(bench.publisher.openClients()).isZero();
  }

  @Test
  void relayThatFailedWaitsForItsLeaseToLapseAsAnyOtherWould() {
    bench.failWhenItParks();
    Relay relay = bench.relay();
    bench.append("a", 1, 1);
    relay.step();
    assertThatThrownBy(relay::step).isInstanceOf(LinkageError.class);
    assertThat(relay.step().state()).isEqualTo(StepReport.State.STANDBY);
    bench.clock.advance(RelayBench.LEASE.dividedBy(2));
    assertThat(relay.step().state()).isEqualTo(StepReport.State.STANDBY);
    bench.clock.advance(RelayBench.LEASE);
    assertThat(relay.step().state()).isEqualTo(StepReport.State.OWNER);
    bench.steps(relay, 2);
    assertThat(bench.published()).containsExactly("a1");
  }

  @Test
  void holeIsDroppedThoughNothingIsSettled() {
    Relay relay = bench.relay();
    bench.publisher.holdOutcomes();
    InMemoryTransaction rolledBack = bench.ledger.begin();
    rolledBack.append(message("ghost", 1));
    bench.append("a", 1, 1);
    rolledBack.rollback();
    bench.steps(relay, 6);
    assertThat(bench.events(RelayEvent.HolesDropped.class)).hasSize(1);
  }

  private Frontier frontier() {
    return bench.ledger.subscription(RelayBench.SUBSCRIPTION).frontier();
  }
}
