// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.admin.Divide;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RelaySubscription.Shares;
import io.outledger.relay.Slots;
import io.outledger.store.FailedAttempt;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How much of a subscription is divided at once, and what all tests of dividing have: owners of its
 * partitions, by hand, and the request.
 */
abstract class DividedSubscriptionTests extends DatabaseContractTests {

  static final String WHO = "anna";
  static final String WHY = "fewer machines";
  static final int KEYS = 12;

  /** So many messages are divided in one step at most. */
  private static final int AT_ONCE_MAX = 10_000;

  final List<RelayStore> stores = new ArrayList<>();

  @AfterEach
  final void closeStores() {
    stores.forEach(RelayStore::close);
  }

  final Owner owner(String subscription, int partitions, int slot) {
    Slots slots = new Slots(partitions);
    RelayStore store =
        database()
            .relayStore(
                dataSource(),
                new RelaySubscription(
                    CursorKey.ofSlot(subscription, slots, slot),
                    Start.EARLIEST,
                    LONG,
                    "",
                    new Shares(slots, Set.of(slot))));
    stores.add(store);
    return Owner.of(store, LONG);
  }

  final Request request(String subscription, int partitions) {
    return new Divide(subscription, partitions).by(WHO, WHY);
  }

  final RequestStatus divide(String subscription, int partitions) {
    return process().requests().ask(request(subscription, partitions));
  }

  final void appendKeys(int rounds) {
    for (int round = 0; round < rounds; round++) {
      append(IntStream.range(0, KEYS).mapToObj(i -> "key-" + i).toArray(String[]::new));
    }
  }

  static ParkedChange dead(LedgerMessage message) {
    return new ParkedChange.Park(
        new ParkedMessage(
            message.position(),
            "",
            message.message(),
            ParkedState.DEAD,
            1,
            false,
            null,
            false,
            0,
            null),
        "refused by the test",
        null,
        FailedAttempt.UNTIMED);
  }

  final List<Long> cursors(String subscription) {
    return IntStream.rangeClosed(0, 20)
        .filter(
            partition ->
                count(
                        "SELECT COUNT(*) FROM {schema}.outledger_subscription s"
                            + " WHERE s.subscription = ? AND s.partition_no = ?",
                        subscription,
                        partition)
                    > 0)
        .asLongStream()
        .boxed()
        .toList();
  }

  /** Owners alone settle, retry and discard, and nobody becomes one while a division waits. */
  @Test
  final void oneThatIsTooLargeIsRefusedAndTheOldPartitionsGoOn() {
    append(IntStream.rangeClosed(0, AT_ONCE_MAX).mapToObj(i -> "key-" + i).toArray(String[]::new));
    Owner first = owner(SUBSCRIPTION, 1, 0);
    List<LedgerMessage> all =
        first.store().poll(new PollRequest(0, AT_ONCE_MAX + 1, 1 << 26, Positions.NONE)).messages();
    long high = all.get(AT_ONCE_MAX).position();
    first.save(new Frontier(high, Positions.range(all.get(0).position(), high)));
    first.release();
    assertRefused("are not settled: let processes with the old number settle them");

    Owner second = owner(SUBSCRIPTION, 1, 0);
    Request request = request(SUBSCRIPTION, 3);
    assertThat(process().requests().ask(request).state()).isEqualTo(RequestState.RUNNING);
    second.save(new Frontier(high, Positions.NONE));
    for (int from = 0; from <= AT_ONCE_MAX; from += 1_000) {
      List<LedgerMessage> some = all.subList(from, Math.min(from + 1_000, all.size()));
      second.save(some.stream().map(DividedSubscriptionTests::dead).toArray(ParkedChange[]::new));
    }
    second.release();
    assertThat(later(request).state()).isEqualTo(RequestState.REFUSED);
    assertRefused("are parked: retry or discard some");
    assertThat(owner(SUBSCRIPTION, 1, 0).store().pauses().division()).isNull();
  }

  private void assertRefused(String why) {
    RequestStatus refused = divide(SUBSCRIPTION, 3);
    assertThat(refused.state()).as(refused.result()).isEqualTo(RequestState.REFUSED);
    assertThat(refused.code()).isEqualTo(ErrorCode.OTHER_PARTITIONS.code());
    assertThat(refused.result()).contains(why);
    assertThat(cursors(SUBSCRIPTION)).containsExactly(0L);
  }
}
