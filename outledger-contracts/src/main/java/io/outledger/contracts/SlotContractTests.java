// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.Pull;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Pulled;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.Slots;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The slots of an engine are the partitions of a relay: how many there are is one fact, whoever
 * reads them, and all of them are made at once.
 */
abstract class SlotContractTests extends DatabaseContractTests {

  private static final Slots FOUR = new Slots(4);
  private static final Set<Integer> ALL = Set.of(0, 1, 2, 3);
  private static final String[] KEYS =
      IntStream.range(0, 24).mapToObj(i -> "key-" + i).toArray(String[]::new);

  private final List<Pull> pulls = new ArrayList<>();
  private final Map<Integer, PullJournal.Entry> kept = new HashMap<>();

  @AfterEach
  final void closePulls() {
    pulls.forEach(Pull::close);
  }

  private Pull pull(Slots slots, Set<Integer> mine, Start start) {
    Pull pull =
        process()
            .pull(SUBSCRIPTION)
            .slots(slots, mine)
            .from(start)
            .options(o -> o.lease(Duration.ofSeconds(2)))
            .build(slot -> Optional.ofNullable(kept.get(slot)));
    pulls.add(pull);
    return pull;
  }

  private Pulled step(Pull pull) {
    Pulled pulled = pull.next();
    kept.putAll(pulled.after());
    pull.committed();
    return pulled;
  }

  /** Reads on until there is nothing more for a while. */
  private List<LedgerMessage> read(Pull pull, int atLeast) {
    List<LedgerMessage> all = new ArrayList<>();
    int idle = 0;
    for (int i = 0; i < 600 && (idle < 10 || all.size() < atLeast); i++) {
      List<LedgerMessage> more = step(pull).messages();
      all.addAll(more);
      idle = more.isEmpty() ? idle + 1 : 0;
      if (more.isEmpty()) {
        fixture().letPass(Duration.ofMillis(20));
      }
    }
    return all;
  }

  private long cursors() {
    return count(
        "SELECT COUNT(*) FROM {schema}.outledger_subscription s WHERE s.subscription = ?",
        SUBSCRIPTION);
  }

  @Test
  void engineContinuesWhereRelaysOfAsManyPartitionsHaveStoppedAndTheyWhereItDoes() {
    append(KEYS);
    assertThat(publishedByRelay(KEYS.length)).hasSize(KEYS.length);
    append("key-1", "key-2");
    Pull pull = pull(FOUR, ALL, Start.EARLIEST);
    assertThat(read(pull, 2))
        .extracting(each -> each.message().key())
        .containsExactly("key-1", "key-2");
    pull.release();
    append("key-3");
    assertThat(publishedByRelay(1)).containsExactly("key-3");
  }

  private List<String> publishedByRelay(int count) {
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger relaying =
            Outledger.builder(dataSource())
                .relayDataSource(dataSource())
                .withoutRetention()
                .build();
        RunningRelay relay =
            relaying.relay(SUBSCRIPTION).partitions(FOUR.count()).to(publisher).start()) {
      until(relay, () -> publisher.messages().size() >= count);
      fixture().letPass(Duration.ofMillis(200));
    }
    return publisher.messages().stream().map(each -> String.valueOf(each.key())).toList();
  }

  @Test
  void anotherNumberOfSlotsIsRefusedWhicheverOfThemAreReadAndNothingIsMade() {
    append(KEYS);
    Pull one = pull(new Slots(1), Set.of(0), Start.EARLIEST);
    assertThat(read(one, KEYS.length)).hasSize(KEYS.length);
    one.release();
    kept.clear(); // of another number nothing is kept
    Pull third = pull(FOUR, Set.of(3), Start.EARLIEST);
    assertCode(ErrorCode.OTHER_PARTITIONS, third::next);
    assertThat(cursors()).isEqualTo(1);
    process().subscriptions().delete(SUBSCRIPTION);
    assertThat(read(third, 1)).isNotEmpty();
    third.release();
    for (Pull other :
        List.of(
            pull(new Slots(1), Set.of(0), Start.EARLIEST),
            pull(new Slots(3), Set.of(2), Start.EARLIEST),
            pull(new Slots(5), Set.of(4), Start.EARLIEST))) {
      assertCode(ErrorCode.OTHER_PARTITIONS, other::next);
    }
    assertThat(cursors()).isEqualTo(4);
  }

  @Test
  void allSlotsStartWhereTheFirstOfThemWasMade() {
    append(KEYS);
    Pull first = pull(FOUR, Set.of(0), Start.NOW);
    assertThat(read(first, 0)).isEmpty();
    append(KEYS);
    List<LedgerMessage> all = new ArrayList<>(read(first, 1));
    all.addAll(read(pull(FOUR, Set.of(1, 2, 3), Start.NOW), 1));
    assertThat(all).extracting(each -> each.message().key()).containsExactlyInAnyOrder(KEYS);
  }

  @Test
  void deadLettersOfAllSlotsAreRetriedAndMovesAndDeletionsReachAllOfThem() {
    append(KEYS);
    Pull pull = pull(FOUR, ALL, Start.EARLIEST);
    List<LedgerMessage> read = pullWithoutSending(pull);
    assertThat(
            pull.park(
                read.stream()
                    .collect(
                        Collectors.groupingBy(
                            each -> FOUR.of(each.message()),
                            Collectors.mapping(SlotContractTests::dead, Collectors.toList())))))
        .isPresent();
    pull.committed();
    assertThat(count("SELECT COUNT(*) FROM {schema}.outledger_parked")).isEqualTo(KEYS.length);
    assertThat(process().parkedMessages(SUBSCRIPTION).retryAll()).isEqualTo(KEYS.length);
    assertThat(read(pull, KEYS.length)).hasSize(KEYS.length);
    pull.release();
    assertThat(count("SELECT COUNT(*) FROM {schema}.outledger_parked")).isZero();
    process().subscriptions().move(SUBSCRIPTION, Start.EARLIEST);
    Pull again = pull(FOUR, ALL, Start.EARLIEST);
    assertThat(read(again, KEYS.length)).hasSize(KEYS.length);
    again.release();
    process().subscriptions().delete(SUBSCRIPTION);
    assertThat(cursors()).isZero();
  }

  private List<LedgerMessage> pullWithoutSending(Pull pull) {
    List<LedgerMessage> read = new ArrayList<>();
    until(
        "something is read",
        () -> {
          read.addAll(pull.next().messages());
          return !read.isEmpty();
        });
    return read;
  }

  private static ParkedChange dead(LedgerMessage message) {
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
        null);
  }
}
