// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Divide;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RelaySubscription.Shares;
import io.outledger.relay.Pull;
import io.outledger.relay.Slots;
import io.outledger.store.Division;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A subscription is divided into another number of partitions: what each message was, settled, open
 * or parked, it is afterwards, in the partition that its key has then.
 */
abstract class DivideContractTests extends DividedSubscriptionTests {

  /** The positions of the messages that were not settled, and of those that were parked. */
  private record Left(Set<Long> open, Set<Long> parked) {}

  /**
   * Has each old partition read to a place of its own, and settle and park some of its messages.
   */
  private Left leave(String subscription, int partitions, SplittableRandom random) {
    Set<Long> unsettled = new TreeSet<>();
    Set<Long> parked = new TreeSet<>();
    Set<Long> settled = new TreeSet<>();
    Slots slots = new Slots(partitions);
    for (int slot = 0; slot < partitions; slot++) {
      Owner owner = owner(subscription, partitions, slot);
      List<LedgerMessage> all = messagesOf(owner);
      all.forEach(each -> unsettled.add(each.position())); // until its own partition has it
      List<LedgerMessage> read = all.subList(0, random.nextInt(all.size() / 2, all.size()));
      Positions open = Positions.NONE;
      List<ParkedChange> changes = new ArrayList<>();
      for (LedgerMessage message : read) {
        int what = slots.of(message.message()) == slot ? random.nextInt(4) : 1;
        if (what == 0) {
          open = open.union(Positions.of(message.position()));
        } else if (slots.of(message.message()) == slot) {
          settled.add(message.position());
          if (what == 3) {
            parked.add(message.position());
            changes.add(dead(message));
          }
        }
      }
      long high = read.get(read.size() - 1).position();
      owner.save(new Frontier(high, open));
      owner.save(changes.toArray(ParkedChange[]::new));
      owner.release();
    }
    unsettled.removeAll(settled);
    return new Left(unsettled, parked);
  }

  /** Returns the messages that the partitions have not settled, each in that of its key. */
  private Map<Long, Integer> open(String subscription, int partitions) {
    Map<Long, Integer> open = new TreeMap<>();
    Slots slots = new Slots(partitions);
    for (int slot = 0; slot < partitions; slot++) {
      Owner owner = owner(subscription, partitions, slot);
      for (LedgerMessage message : messagesOf(owner)) {
        boolean isOwn = slots.of(message.message()) == slot;
        if (isOwn && !owner.frontier().isSettled(message.position())) {
          open.put(message.position(), slot);
        }
      }
      owner.release();
    }
    return open;
  }

  private void assertParked(String subscription, int partitions, Set<Long> positions) {
    Slots slots = new Slots(partitions);
    long rows = 0;
    for (LedgerMessage message : messagesOf(owner("reader"))) {
      int slot = slots.of(message.message()); // nothing is parked of the others
      rows +=
          count(
              "SELECT COUNT(*) FROM {schema}.outledger_parked p JOIN {schema}.outledger_attempt a"
                  + " ON a.subscription = p.subscription AND a.partition_no = p.partition_no"
                  + " AND a.position = p.position AND a.route = p.route AND a.id = p.id"
                  + " WHERE p.subscription = ? AND p.partition_no = ? AND p.position = ?",
              subscription,
              CursorKey.ofSlot(subscription, slots, slot).partition(),
              message.position());
    }
    assertThat(rows).isEqualTo(positions.size());
    assertThat(
            count(
                "SELECT COUNT(*) FROM {schema}.outledger_parked p WHERE p.subscription = ?",
                subscription))
        .isEqualTo(positions.size());
  }

  @Test
  final void whatWasSettledOpenOrParkedIsSoInTheNewPartitions() {
    appendKeys(4);
    int[] numbers = {1, 3, 5, 2, 1};
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 1; i < numbers.length; i++) {
      String name = "s" + i;
      Left left = leave(name, numbers[i - 1], random);
      RequestStatus done = divide(name, numbers[i]);
      assertThat(done.state()).as(done.result()).isEqualTo(RequestState.DONE);
      assertThat(done.result())
          .startsWith("divided into %s in place of %s".formatted(numbers[i], numbers[i - 1]));
      assertThat(cursors(name))
          .isEqualTo(
              numbers[i] == 1
                  ? List.of(0L)
                  : LongStream.rangeClosed(1, numbers[i]).boxed().toList());
      assertThat(open(name, numbers[i]).keySet()).as(name).isEqualTo(left.open());
      assertParked(name, numbers[i], left.parked());
    }
  }

  @Test
  final void messageThatCommitsAfterwardsIsOpenInThePartitionOfItsKey() throws SQLException {
    try (Connection writer = dataSource().getConnection()) {
      writer.setAutoCommit(false);
      if (fixture().writers() == DatabaseFixture.Writers.SEVERAL) { // else others wait for it
        database().appender().append(writer, List.of(StoreContractTests.message("late")));
      }
      appendKeys(1);
      for (int slot = 0; slot < 2; slot++) {
        Owner owner = owner(SUBSCRIPTION, 2, slot);
        settle(owner);
        owner.release();
      }
      assertThat(divide(SUBSCRIPTION, 3).state()).isEqualTo(RequestState.DONE);
      assertThat(open(SUBSCRIPTION, 3)).isEmpty();
      if (fixture().writers() == DatabaseFixture.Writers.ONE) {
        database().appender().append(writer, List.of(StoreContractTests.message("late")));
      }
      writer.commit();
    }
    assertThat(open(SUBSCRIPTION, 3)).hasSize(1);
  }

  /** By that they notice a ledger that was restored to a state in between. */
  @Test
  final void newPartitionsKnowTheNewestMessageThatAnyOldOneKnew() {
    appendKeys(2);
    List<Integer> newestFirst = List.of(1, 0);
    for (int newest : newestFirst) {
      String name = "s" + newest;
      for (int slot = 0; slot < 2; slot++) {
        Owner owner = owner(name, 2, slot);
        List<LedgerMessage> all = messagesOf(owner);
        LedgerMessage last = all.get(slot == newest ? all.size() - 1 : KEYS);
        KnownMessage read = new KnownMessage(last.position(), last.message().id());
        owner.saveKnowing(new Frontier(last.position(), Positions.NONE), read);
        owner.release();
      }
      assertThat(divide(name, 3).state()).isEqualTo(RequestState.DONE);
      List<LedgerMessage> all = messagesOf(owner("reader-" + newest));
      LedgerMessage last = all.get(all.size() - 1);
      for (int slot = 0; slot < 3; slot++) {
        assertThat(owner(name, 3, slot).known())
            .isEqualTo(new KnownMessage(last.position(), last.message().id()));
      }
    }
  }

  @Test
  final void ownerKeepsItWaitingUntilItReleasesItsLease() {
    appendKeys(1);
    Owner first = owner(SUBSCRIPTION, 2, 0);
    Owner second = owner(SUBSCRIPTION, 2, 1);
    settle(second);
    second.release();
    Request request = request(SUBSCRIPTION, 4);
    RequestStatus waits = process().requests().ask(request);
    assertThat(waits.state()).isEqualTo(RequestState.RUNNING);
    assertThat(waits.result()).contains("up to position 12", "in partition 1 (at 0)");
    assertThat(waits.done()).isEqualTo(1);
    assertThat(waits.total()).isEqualTo(2);
    assertThat(first.store().pauses().division()).isEqualTo(new Division(4, KEYS));
    assertThat(second.store().look().waits()).contains("into 4 partitions");
    settle(first);
    first.release();
    assertThat(later(request).state()).isEqualTo(RequestState.DONE);
    assertThat(open(SUBSCRIPTION, 4)).isEmpty();
    assertThat(owner(SUBSCRIPTION, 4, 3).store().pauses().division()).isNull();
  }

  @Test
  final void ownerThatWasFrozenIsFenced() {
    appendKeys(1);
    Owner frozen = owner(SUBSCRIPTION, 1, 0);
    execute("UPDATE outledger_cursor SET lease_until = NULL WHERE subscription = 'contract'");
    assertThat(divide(SUBSCRIPTION, 2).state()).isEqualTo(RequestState.DONE);
    assertThat(frozen.trySave(new Frontier(KEYS, Positions.NONE)))
        .isNotInstanceOf(SaveOutcome.Saved.class);
    assertThat(open(SUBSCRIPTION, 2)).hasSize(KEYS);
  }

  @Test
  final void oneThatIsStoppedLetsTheOldPartitionsGoOn() {
    appendKeys(1);
    Owner first = owner(SUBSCRIPTION, 2, 0);
    Request request = request(SUBSCRIPTION, 4);
    assertThat(process().requests().ask(request).state()).isEqualTo(RequestState.RUNNING);
    assertThat(divide(SUBSCRIPTION, 3).code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION.code());
    assertThat(process().requests().stop(request.id()).state()).isEqualTo(RequestState.STOPPED);
    first.release();
    assertThat(first.store().look().waits()).isNull();
    assertThat(cursors(SUBSCRIPTION)).containsExactly(1L, 2L);
    assertThat(process().requests().ask(request).state()).isEqualTo(RequestState.STOPPED);
  }

  @Test
  final void processWithTheNewNumberWaitsAndOneWithTheOldIsRefusedAfterwards() {
    Owner old = owner(SUBSCRIPTION, 2, 0);
    assertCode(ErrorCode.OTHER_PARTITIONS, () -> owner(SUBSCRIPTION, 4, 3));
    Request request = request(SUBSCRIPTION, 4);
    assertThat(process().requests().ask(request).state()).isEqualTo(RequestState.RUNNING);
    RelayStore next =
        database()
            .relayStore(
                dataSource(),
                new RelaySubscription(
                    new CursorKey(SUBSCRIPTION, 4),
                    Start.EARLIEST,
                    LONG,
                    "",
                    new Shares(new Slots(4), Set.of(3))));
    stores.add(next);
    assertThat(next.look().waits()).contains("is being divided");
    assertCode(ErrorCode.OTHER_PARTITIONS, () -> owner(SUBSCRIPTION, 3, 0));
    old.release();
    assertThat(later(request).state()).isEqualTo(RequestState.DONE);
    assertThat(next.look().waits()).isNull();
    assertCode(ErrorCode.OTHER_PARTITIONS, () -> old.store().look());
    assertCode(ErrorCode.OTHER_PARTITIONS, () -> owner(SUBSCRIPTION, 1, 0));
  }

  @Test
  final void whatCannotBeDividedIsRefusedWithAReason() {
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> new Divide(SUBSCRIPTION, 0));
    assertCode(ErrorCode.INVALID_CONFIGURATION, () -> new Divide(SUBSCRIPTION, Slots.MAX + 1));
    assertThat(divide("nobody", 2).code()).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION.code());
    owner(SUBSCRIPTION, 2, 0).release();
    assertThat(divide(SUBSCRIPTION, 2).result()).contains("has that number");
    Request request = request(SUBSCRIPTION, 3);
    assertThat(process().requests().ask(request).state()).isEqualTo(RequestState.DONE);
    divide(SUBSCRIPTION, 5);
    assertThat(process().requests().ask(request).state()).isEqualTo(RequestState.DONE);
    assertThat(cursors(SUBSCRIPTION)).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  final void slotsOfAnEngineAreNotDivided() {
    appendKeys(1);
    try (Pull pull =
        process()
            .pull(SUBSCRIPTION)
            .slots(new Slots(2), Set.of(0, 1))
            .build(slot -> Optional.empty())) {
      pull.next();
      pull.committed();
      pull.release();
    }
    RequestStatus refused = divide(SUBSCRIPTION, 3);
    assertThat(refused.code()).isEqualTo(ErrorCode.OTHER_PARTITIONS.code());
    assertThat(refused.result()).contains("connector");
    assertThat(cursors(SUBSCRIPTION)).containsExactly(1L, 2L);
  }

  @Test
  final void subscriptionThatIsDeletedMeanwhileRefusesIt() {
    Owner owner = owner(SUBSCRIPTION, 1, 0);
    Request request = request(SUBSCRIPTION, 4);
    assertThat(process().requests().ask(request).state()).isEqualTo(RequestState.RUNNING);
    owner.release();
    process().subscriptions().delete(SUBSCRIPTION);
    assertThat(later(request).code()).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION.code());
  }

  @Test
  final void killedAtSomeCommitsItIsDividedOnce() throws Exception {
    CommitPoints.tryQuarter(0, this::isDividedOnceKilledAt);
  }

  @Test
  @Tag(CommitPoints.LONG)
  final void killedAtAnyCommitItIsDividedOnce() throws Exception {
    CommitPoints.tryAll(this::isDividedOnceKilledAt);
  }

  private boolean isDividedOnceKilledAt(int commit, boolean after) {
    String name = "s" + UUID.randomUUID();
    appendKeys(1);
    Left left = leave(name, 3, new SplittableRandom(commit));
    Owner owner = owner(name, 3, 0); // for the first steps to wait
    Request request = request(name, 5);
    boolean isDead = KillingDataSource.ask(dataSource(), request, commit, after);
    owner.release();
    isDead |= KillingDataSource.ask(dataSource(), request, commit, after);
    assertThat(later(request).state()).isEqualTo(RequestState.DONE);
    assertThat(open(name, 5).keySet()).isEqualTo(left.open());
    assertParked(name, 5, left.parked());
    assertThat(cursors(name)).hasSize(5);
    return isDead;
  }

  @Test
  final void requestIsAuditedWithWhoAndWhy() {
    owner("invoices", 2, 0).release();
    Requests requests = process().requests();
    requests.ask(new Divide("invoices", 4).by("anna", "fewer machines"));
    assertThat(
            count(
                "SELECT COUNT(*) FROM {schema}.outledger_request r WHERE r.verb = 'divide'"
                    + " AND r.reader_kind = 'subscription' AND r.reader = 'invoices'"
                    + " AND r.asked_by = ? AND r.reason = ? AND r.selection = 'partitions=4'"
                    + " AND r.state = 'done'",
                WHO,
                WHY))
        .isEqualTo(1);
  }
}
