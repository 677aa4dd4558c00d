// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.RetentionStore;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

abstract class PurgeContractTests extends DatabaseContractTests {

  private static final Duration DAY = Duration.ofDays(1);

  @Test
  final void stepRemovesNoMoreThanItsBatch() {
    append("a", "b", "c", "d", "e");
    remember("1");
    remember("2");
    remember("3");
    makeRecordsOlder(5);
    settle(owner());
    RetentionStore small = database().retention(dataSource(), 2);
    Step step = small.purgeMessages(AT_ONCE, Step.NONE);
    assertThat(step.removed()).isEqualTo(2);
    assertThat(step.more()).isTrue();
    assertThat(small.purgeMessages(AT_ONCE, step).removed()).isEqualTo(2);
    assertThat(messages()).extracting(Message::key).containsExactly("e");
    Duration age = Duration.ofMinutes(4);
    assertThat(small.purgeInbox(age)).isEqualTo(new Step(2, true, 0));
    assertThat(small.purgeInbox(age, Set.of("c"))).isEqualTo(new Step(1, false, 0));
  }

  @Test
  final void nothingGoesWithoutASubscription() {
    append("a");
    assertThat(purge(AT_ONCE)).isZero();
    assertThat(retention().purgedTo()).isZero();
  }

  @Test
  final void whatEverySubscriptionHasSettledGoes() {
    append("a", "b", "c", "d");
    Owner fast = owner("fast");
    settle(fast);
    Owner slow = owner("slow");
    List<Long> positions = read(slow);
    assertThat(purge(AT_ONCE)).isZero();
    slow.save(
        slow.frontier()
            .readTo(positions.get(2))
            .settle(Positions.of(positions.get(0), positions.get(2))));
    assertThat(purge(AT_ONCE)).isEqualTo(1);
    assertThat(retention().purgedTo()).isEqualTo(positions.get(0));
    slow.save(slow.frontier().settle(Positions.of(positions.get(1))));
    assertThat(purge(AT_ONCE)).isEqualTo(2);
    assertThat(messages()).extracting(Message::key).containsExactly("d");
  }

  @Test
  final void openPositionsBesideTheRowKeepTheirMessages() {
    append("a", "b");
    Owner owner = owner();
    List<Long> positions = read(owner);
    owner.saveOverflow(
        owner.frontier().readTo(positions.get(1)).settle(Positions.of(positions.get(1))),
        Positions.of(positions.get(0)));
    assertThat(purge(AT_ONCE)).isZero();
  }

  @Test
  final void whatIsYoungStaysAndAllAboveIt() {
    append("a", "b", "c");
    Owner owner = owner();
    List<Long> positions = read(owner);
    settle(owner);
    appended(positions.get(0), Duration.ofDays(2));
    appended(positions.get(2), Duration.ofDays(3));
    assertThat(purge(DAY)).isEqualTo(1);
    assertThat(messages()).extracting(Message::key).containsExactly("b", "c");
  }

  /** The clock of a process that appends may be wrong, and an event may be older than its row. */
  @Test
  final void messageIsKeptForTheWholeRetentionWhateverItsOwnTime() {
    append(List.of(of(Instant.parse("2001-02-03T04:05:06Z"))));
    Owner owner = owner();
    long position = read(owner).get(0);
    settle(owner);
    assertThat(purge(DAY)).isZero();
    appended(position, Duration.ofHours(2));
    assertThat(purge(DAY)).isZero();
    appended(position, Duration.ofDays(3));
    assertThat(purge(DAY)).isEqualTo(1);
  }

  @Test
  final void messageGoesAfterTheRetentionWhateverItsOwnTime() {
    append(List.of(of(TimeSource.system().now().plusSeconds(3_600))));
    append(List.of(of(Instant.parse("2099-02-03T04:05:06Z"))));
    settle(owner());
    assertThat(purge(DAY)).isZero();
    assertThat(purge(AT_ONCE)).isEqualTo(2);
  }

  /** The database's clock was far ahead, and was set back. */
  @Test
  final void messageThatWasAppendedInTheFarFutureCountsAsOld() {
    append("a", "b");
    Owner owner = owner();
    long position = read(owner).get(0);
    settle(owner);
    appended(position, DAY.multipliedBy(-3));
    assertThat(purge(DAY)).isEqualTo(1);
  }

  @Test
  final void parkedMessageOutlivesTheLedgersOwn() {
    append("a");
    Owner owner = owner();
    long position = read(owner).get(0);
    settle(owner);
    owner.save(ParkedRows.park(position, "a", ParkedState.DEAD, null));
    assertThat(purge(AT_ONCE)).isEqualTo(1);
    assertThat(parkedOf(Reader.subscription(SUBSCRIPTION)))
        .singleElement()
        .satisfies(dead -> assertThat(dead.message().key()).isEqualTo("a"));
  }

  @Test
  final void nobodyStartsBeforeWhatWasPurged() {
    append("a", "b");
    Owner owner = owner();
    List<Long> positions = read(owner);
    owner.save(owner.frontier().readTo(positions.get(0)).settle(Positions.of(positions.get(0))));
    assertThat(purge(AT_ONCE)).isEqualTo(1);
    assertCode(ErrorCode.POSITION_PURGED, () -> open("late", Start.at(positions.get(0))).look());
    assertThat(read(owner("earliest"))).containsExactly(positions.get(1));
  }

  @Test
  final void recordsOfInboxesGoByTheirAge() {
    remember("1");
    remember("2");
    assertThat(retention().purgeInbox(DAY)).isEqualTo(new Step(0, false, 0));
    makeRecordsOlder(5);
    assertThat(retention().purgeInbox(Duration.ofMinutes(6)).removed()).isZero();
    assertThat(retention().purgeInbox(Duration.ofMinutes(4)).removed()).isEqualTo(2);
    remember("1");
    assertThat(count("SELECT count(*) FROM outledger_inbox")).isEqualTo(1);
  }

  @Test
  final void recordsOfOtherConsumersStay() {
    remember("mine", "1");
    remember("mine as well", "1");
    remember("another's", "1");
    makeRecordsOlder(5);
    Duration age = Duration.ofMinutes(4);
    assertThat(retention().purgeInbox(age, Set.of())).isEqualTo(new Step(0, false, 0));
    assertThat(retention().purgeInbox(DAY, Set.of("mine")).removed()).isZero();
    assertThat(retention().purgeInbox(age, Set.of("mine", "mine as well")).removed()).isEqualTo(2);
    assertThat(count("SELECT count(*) FROM outledger_inbox")).isEqualTo(1);
  }

  /** A record's time is coarse: it counts from the end of its minute, so none goes too early. */
  @Test
  final void recordIsKeptUntilItsWholeMinuteIsOldEnough() {
    remember("1");
    makeRecordsOlder(1);
    assertThat(retention().purgeInbox(Duration.ofMinutes(1)).removed()).isZero();
    makeRecordsOlder(1);
    assertThat(retention().purgeInbox(Duration.ofMinutes(1)).removed()).isEqualTo(1);
  }

  private void makeRecordsOlder(int minutes) {
    execute("UPDATE outledger_inbox SET processed_minute = processed_minute - " + minutes);
  }

  private void remember(String id) {
    remember("c", id);
  }

  private void remember(String consumer, String id) {
    inTransaction(
        transaction ->
            assertThat(
                    database()
                        .inbox()
                        .insert(transaction, consumer, Set.of(new InboxId("shop", id))))
                .isPresent());
  }

  private static Message of(Instant time) {
    Message now = StoreContractTests.message("k");
    return Message.to(now.topic(), now.type()).time(time).build();
  }

  private long purge(Duration age) {
    long removed = 0;
    Step step = Step.NONE;
    do {
      step = retention().purgeMessages(age, step);
      removed += step.removed();
    } while (step.more());
    return removed;
  }
}
