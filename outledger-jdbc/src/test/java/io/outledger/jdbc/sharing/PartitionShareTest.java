// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.relay.Sharing;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who has how many partitions, over a status table in memory. */
class PartitionShareTest {

  private static final int PARTITIONS = 12;
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration TWO_LEASES = LEASE.multipliedBy(2);
  private static final CursorKey KEY = CursorKey.of("invoices");

  private final Clock clock = new Clock();
  private final Table table = new Table();
  private final Map<PartitionShare, Set<Integer>> held = new HashMap<>();

  /** Both clocks, which only the test moves. */
  private static final class Clock implements TimeSource {
    private long nanos;

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    void advance(Duration by) {
      nanos += by.toNanos();
    }
  }

  /** The rows of processes, by the database's clock. */
  private final class Table implements StatusStore {
    private final Map<String, Instant> rows = new HashMap<>();
    private Duration databaseIsAhead = Duration.ZERO;
    private Duration delay = Duration.ZERO;

    @Override
    public synchronized void write(List<Entry> entries) {
      for (Entry entry : entries) {
        if (entry.status().state() == RelayStatus.State.STOPPED) {
          rows.remove(entry.instance());
        } else {
          rows.put(entry.instance(), clock.now().plus(databaseIsAhead));
        }
      }
    }

    @Override
    public synchronized Map<String, Instant> seen(CursorKey key) {
      clock.advance(delay);
      return Map.copyOf(rows);
    }
  }

  /** A process whose relays have taken a step. */
  private PartitionShare process(String name) {
    PartitionShare share = silent(name);
    share.of(0).holds(false);
    share.look();
    return share;
  }

  private PartitionShare silent(String name) {
    return new PartitionShare(KEY, PARTITIONS, LEASE, new PartitionShare.Place(table, name), clock);
  }

  /** Has a process ask for all leases that it does not have, and returns how many it may take. */
  private int takes(PartitionShare share, Duration freeFor) {
    Set<Integer> has = held.computeIfAbsent(share, any -> new HashSet<>());
    int before = has.size();
    for (int slot = 0; slot < PARTITIONS; slot++) {
      if (!has.contains(slot) && share.of(slot).mayTake(freeFor)) {
        share.of(slot).holds(true);
        has.add(slot);
      }
    }
    return has.size() - before;
  }

  @Test
  void processesHaveEqualPartsOrOneMore() {
    List<PartitionShare> five = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      five.add(process("p" + i));
    }
    five.forEach(PartitionShare::look);
    assertThat(five).extracting(each -> takes(each, Duration.ZERO)).containsExactly(3, 3, 2, 2, 2);
  }

  @Test
  void eachOfManyProcessesHasOneBeforeAnyHasTwo() {
    List<PartitionShare> eleven = new ArrayList<>();
    for (int i = 10; i < 21; i++) {
      eleven.add(process("p" + i));
    }
    eleven.forEach(PartitionShare::look);
    assertThat(eleven)
        .extracting(each -> takes(each, Duration.ZERO))
        .containsExactly(2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
  }

  @Test
  void partitionIsTakenForOneAtATimeWhileItsLeaseIsAskedFor() {
    PartitionShare first = process("a");
    process("b");
    first.look();
    assertThat(IntStream.range(0, 6).allMatch(slot -> first.of(slot).mayTake(Duration.ZERO)))
        .isTrue();
    assertThat(first.of(6).mayTake(Duration.ZERO)).isFalse(); // the others are on their way
    first.of(5).holds(false); // another process was faster
    assertThat(first.of(6).mayTake(Duration.ZERO)).isTrue();
  }

  @Test
  void processWhoseRelaysAreRefusedDoesNotCount() {
    PartitionShare owner = process("owner");
    assertThat(takes(owner, Duration.ZERO)).isEqualTo(PARTITIONS);
    PartitionShare refused = silent("refused");
    refused.of(0).fails();
    refused.look();
    owner.look();
    assertThat(IntStream.range(0, PARTITIONS).anyMatch(slot -> owner.of(slot).givesBack()))
        .isFalse();
    assertThat(table.rows).containsOnlyKeys("owner");
  }

  @Test
  void processWhoseRelaysFailFromSomeTimeOnCountsNoMore() {
    PartitionShare first = process("a");
    PartitionShare second = process("b");
    first.look();
    assertThat(takes(first, Duration.ZERO)).isEqualTo(6);
    for (int i = 0; i < 8; i++) {
      clock.advance(LEASE.dividedBy(4));
      first.of(0).holds(true);
      second.of(0).fails();
      first.look();
      second.look();
    }
    assertThat(takes(first, Duration.ZERO)).isEqualTo(6);
  }

  @Test
  void leaseThatNobodyTakesIsTakenAboveTheShareAndKeptUntilSomebodyComesOrGoes() {
    PartitionShare first = process("a");
    process("b"); // which takes nothing
    first.look();
    assertThat(takes(first, Duration.ZERO)).isEqualTo(6);
    assertThat(takes(first, TWO_LEASES.minusNanos(1))).isZero();
    assertThat(takes(first, TWO_LEASES)).isEqualTo(6);
    first.look();
    assertThat(givenBackBy(first)).isEmpty();
    process("c");
    first.look();
    assertThat(givenBackBy(first)).containsExactly(4, 5, 6, 7, 8, 9, 10, 11);
  }

  @Test
  void whatIsKeptIsOfferedOneAfterTheOtherToWhoeverCouldTakeIt() {
    PartitionShare first = process("a");
    PartitionShare second = process("b"); // which takes nothing, for some time
    first.look();
    takes(first, Duration.ZERO);
    takes(first, TWO_LEASES);
    for (int offered = 6; offered < 9; offered++) {
      goOn(LEASE.multipliedBy(10), first, second);
      assertThat(givenBackBy(first)).containsExactly(offered);
      first.of(offered).holds(false);
      assertThat(givenBackBy(first)).as("no other one meanwhile").isEmpty();
      goOn(LEASE.multipliedBy(2), first, second);
      assertThat(first.of(offered).mayTake(TWO_LEASES)).as("nobody took it").isTrue();
      first.of(offered).holds(true);
    }
    goOn(LEASE.multipliedBy(8), first, second);
    assertThat(givenBackBy(first)).containsExactly(9);
    first.of(9).holds(false);
    assertThat(second.of(9).mayTake(Duration.ZERO)).as("now it is taken").isTrue();
    assertThat(first.of(9).mayTake(Duration.ZERO)).isFalse();
  }

  @Test
  void whatAnotherOneHasTakenIsNotOffered() {
    PartitionShare first = process("a");
    PartitionShare second = process("b");
    first.look();
    takes(first, Duration.ZERO);
    takes(first, TWO_LEASES);
    first.of(6).holds(false); // its lease was lost
    goOn(LEASE.multipliedBy(10), first, second);
    assertThat(givenBackBy(first)).containsExactly(7);
  }

  /** Lets time pass in which both are alive. */
  private void goOn(Duration time, PartitionShare first, PartitionShare second) {
    for (int i = 0; i < 100; i++) {
      clock.advance(time.dividedBy(100));
      first.of(0).holds(true);
      second.of(0).holds(false);
      first.look();
      second.look();
    }
  }

  private static List<Integer> givenBackBy(PartitionShare share) {
    return IntStream.range(0, PARTITIONS)
        .filter(slot -> share.of(slot).givesBack())
        .boxed()
        .toList();
  }

  @Test
  void partitionThatWasHandedOverForWhatItsOwnerLackedIsKept() {
    PartitionShare first = process("a");
    process("b");
    first.look();
    takes(first, Duration.ZERO);
    first.of(11).holds(true); // for which it was not asked
    assertThat(givenBackBy(first)).isEmpty();
  }

  @Test
  void whatIsAboveTheShareIsGivenBackAndTheLowestStay() {
    PartitionShare first = process("a");
    takes(first, Duration.ZERO);
    process("b");
    first.look();
    assertThat(givenBackBy(first)).containsExactly(6, 7, 8, 9, 10, 11);
    first.of(11).holds(false);
    assertThat(first.of(11).mayTake(Duration.ZERO)).isFalse();
  }

  @Test
  void processThatIsKilledCountsUntilTwoThirdsOfALeaseHavePassed() {
    PartitionShare first = process("a");
    process("b");
    first.look();
    clock.advance(Duration.ofSeconds(6));
    first.of(0).holds(false);
    first.look();
    assertThat(takes(first, Duration.ZERO)).isEqualTo(6);
    clock.advance(Duration.ofSeconds(2));
    first.of(0).holds(true);
    first.look();
    assertThat(takes(first, Duration.ZERO)).isEqualTo(6);
  }

  @Test
  void databaseClockThatWasSetBackMakesNobodyOld() {
    table.databaseIsAhead = Duration.ofHours(1);
    process("dead");
    table.databaseIsAhead = Duration.ZERO;
    PartitionShare first = process("a");
    process("b");
    first.look();
    assertThat(takes(first, Duration.ZERO)).isEqualTo(6);
  }

  @Test
  void processWhoseLookTakesLongCountsItself() {
    PartitionShare first = process("a");
    process("b");
    table.delay = LEASE;
    clock.advance(LEASE.dividedBy(2));
    first.of(0).holds(false);
    first.look();
    assertThat(takes(first, Duration.ZERO)).isEqualTo(PARTITIONS);
    first.of(PARTITIONS).holds(false);
    assertThat(first.of(PARTITIONS).mayTake(Duration.ZERO)).isFalse();
  }

  @Test
  void nothingIsTakenAfterTheEnd() {
    PartitionShare first = process("a");
    Sharing slot = first.of(0);
    first.end();
    assertThat(slot.mayTake(TWO_LEASES)).isFalse();
  }
}
