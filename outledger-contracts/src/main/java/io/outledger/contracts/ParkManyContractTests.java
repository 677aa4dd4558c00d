// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.contracts.ParkedRows.park;
import static io.outledger.contracts.ParkedRows.positionsOf;
import static io.outledger.store.ParkedState.DEAD;
import static io.outledger.store.ParkedState.RETRYING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.store.LeaseGrant.BlockedKey;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A save that sets many messages aside, as after an outage, does to each what it does to one. */
abstract class ParkManyContractTests extends StoreContractTests {

  private static final Duration NOW = Duration.ZERO;
  private static final int MANY = 700;
  private static final int LIMIT = 2 * MANY;
  private static final int LARGE = 300_000;

  private static ParkedChange.Park[] parks(
      ParkedState state, @Nullable Duration retryIn, int step) {
    return LongStream.rangeClosed(1, MANY)
        .filter(position -> position % step == 0)
        .mapToObj(position -> park(position, "key " + position, state, retryIn))
        .toArray(ParkedChange.Park[]::new);
  }

  private static Long[] all() {
    return LongStream.rangeClosed(1, MANY).boxed().toArray(Long[]::new);
  }

  private static List<Long> due(Owner owner) {
    return positionsOf(owner.store().due(ROUTES, Set.of(), LIMIT));
  }

  @Test
  void manyAreEachAsTheyWereParked() {
    Owner owner = owner();
    owner.save(parks(RETRYING, NOW, 1));
    List<ParkedMessage> due = owner.store().due(ROUTES, Set.of(), LIMIT);
    assertThat(positionsOf(due)).containsExactly(all());
    assertThat(due)
        .allSatisfy(
            row ->
                assertThat(row.message().key())
                    .isEqualTo("key " + row.position())
                    .isEqualTo(new String(row.message().payload(), UTF_8)));
    assertThat(owner().grant().blocked()).hasSize(MANY);
  }

  @Test
  void whatIsParkedAlreadyIsReplacedAmongWhatIsNot() {
    Owner owner = owner();
    owner.save(parks(DEAD, null, 3));
    fixture().requestRetry(SUBSCRIPTION, 3, "");
    owner.save(parks(RETRYING, LONG, 1));
    assertThat(due(owner)).isEmpty();
    owner.save(parks(RETRYING, NOW, 1));
    assertThat(due(owner)).containsExactly(all());
  }

  @Test
  void lastOfTwoAtOnePlaceCounts() {
    Owner owner = owner();
    owner.save(
        park(1, "a", DEAD, null),
        park(2, "b", DEAD, null),
        park(1, "a", RETRYING, LONG),
        park(2, "b", RETRYING, NOW));
    assertThat(positionsOf(owner.due())).containsExactly(2L);
    assertThat(owner().grant().blocked())
        .containsExactlyInAnyOrder(new BlockedKey("", "a", 1, 1), new BlockedKey("", "b", 1, 1));
  }

  @Test
  void onePositionIsParkedInSeveralRoutes() {
    Owner owner = owner();
    owner.save(park(1, "mail", "a", DEAD, null));
    owner.save(park(1, "mail", "a", RETRYING, NOW), park(1, "stock", "a", RETRYING, NOW));
    assertThat(owner.due()).extracting(ParkedMessage::route).containsExactly("mail", "stock");
  }

  @Test
  void largeMessagesAreParkedBesideSmallOnes() {
    Owner owner = owner();
    ParkedChange.Park[] changes = new ParkedChange.Park[4];
    for (int i = 0; i < changes.length; i++) {
      Message message =
          message(i + 1, "key").copy().payload(new byte[i % 2 == 0 ? 1 : LARGE]).build();
      changes[i] = park(new LedgerMessage(i + 1, message), "", RETRYING, NOW);
    }
    owner.save(changes);
    assertThat(owner.due())
        .extracting(row -> row.message().payload().length)
        .containsExactly(1, LARGE, 1, LARGE);
  }

  @Test
  void unreadableOneIsParkedAmongOthers() {
    committed("a", "b", "c");
    fixture().makeUnreadable(2);
    Owner owner = owner();
    List<LedgerMessage> read = owner.store().poll(above(0)).messages();
    owner.save(read.stream().map(ParkManyContractTests::due).toArray(ParkedChange[]::new));
    assertThat(owner.due())
        .extracting(row -> row.unreadable() == null)
        .containsExactly(true, false, true);
  }

  private static ParkedChange due(LedgerMessage read) {
    ParkedMessage row =
        new ParkedMessage(
            read.position(),
            "",
            read.message(),
            RETRYING,
            1,
            true,
            read.unreadable(),
            false,
            0,
            null);
    return new ParkedChange.Park(row, "no", NOW);
  }
}
