// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.FailureGroup;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Revision;
import io.outledger.jdbc.admin.Standing;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RelaySubscription.Shares;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.Slots;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators read and ask of a divided subscription. */
abstract class PartitionRequestContractTests extends DatabaseContractTests {

  private static final int PARTITIONS = 3;
  private static final int KEYS = 9;
  private static final Reader WHOLE = Reader.subscription(SUBSCRIPTION);

  private final List<Message> handled = new CopyOnWriteArrayList<>();
  private volatile boolean isBroken;
  private Outledger relaying;

  @BeforeEach
  final void openRelaying() {
    relaying =
        Outledger.builder(dataSource()).relayDataSource(dataSource()).withoutRetention().build();
  }

  @AfterEach
  final void closeRelaying() {
    relaying.close();
  }

  private RelayBuilder relay(String subscription) {
    return relaying
        .relay(subscription)
        .partitions(PARTITIONS)
        .options(o -> o.lease(Duration.ofSeconds(2)).retry(RetryPolicy.DEFAULT.withAttemptsMax(1)));
  }

  private RunningRelay start(String subscription) {
    return relay(subscription)
        .handlerWithoutTransaction(
            "work",
            message -> {
              if (isBroken) {
                throw new IllegalStateException("refused by the test");
              }
              handled.add(message);
            })
        .start();
  }

  private void appendKeys() {
    append(IntStream.range(0, KEYS).mapToObj(i -> "key-" + i).toArray(String[]::new));
  }

  private List<Parked> parked(Reader owner) {
    return process().admin().parked(ParkedQuery.of(owner)).rows();
  }

  private RequestStatus ask(Verb verb) {
    return process().requests().ask(verb.by("anna", "the vendor is back"));
  }

  private long pending() {
    return count(
        "SELECT COUNT(*) FROM {schema}.outledger_pending p WHERE p.subscription = ?", SUBSCRIPTION);
  }

  private RunningRelay allDead() {
    isBroken = true;
    appendKeys();
    RunningRelay relay = start(SUBSCRIPTION);
    until(
        "all are dead", // before its first step there is no such subscription
        () ->
            count(
                    "SELECT COUNT(*) FROM {schema}.outledger_parked p WHERE p.subscription = ?",
                    SUBSCRIPTION)
                == KEYS);
    return relay;
  }

  @Test
  void whatIsParkedIsListedWholeOrOfOnePartition() {
    try (RunningRelay relay = allDead()) {
      assertThat(parked(WHOLE)).extracting(each -> each.place().number()).isSorted();
      int sum = 0;
      for (int partition = 1; partition <= PARTITIONS; partition++) {
        List<Parked> part = parked(new Reader(Reader.Kind.SUBSCRIPTION, SUBSCRIPTION, partition));
        assertThat(part).as("partition %s", partition).hasSizeBetween(1, KEYS - 1);
        sum += part.size();
      }
      assertThat(sum).isEqualTo(KEYS);
      for (Parked each : parked(WHOLE)) {
        assertThat(process().admin().attempts(each.owner(), each.place())).hasSize(1);
      }
      assertThat(relay.state()).isNotNull();
    }
  }

  @Test
  void positionNamesAParkedMessageOfAnyPartition() {
    try (RunningRelay relay = allDead()) {
      List<Parked> all = parked(WHOLE);
      isBroken = false;
      ParkedMessages messages = process().parkedMessages(SUBSCRIPTION);
      for (Parked each : all.subList(0, KEYS - 1)) {
        assertThat(messages.retry(each.place().number())).isTrue();
      }
      assertThat(messages.discard(all.get(KEYS - 1).place().number())).isTrue();
      until("none is parked", () -> parked(WHOLE).isEmpty());
      assertThat(handled).hasSize(KEYS - 1);
      assertThat(messages.retry(all.get(0).place().number())).isFalse();
      assertThat(relay.state()).isNotNull();
    }
  }

  /** Whoever reads several slots asks only those. */
  @Test
  void slotsInWhichSomethingIsRequestedAreTold() {
    allDead().close();
    Slots slots = new Slots(PARTITIONS);
    Set<Integer> all = Set.of(0, 1, 2);
    RelaySubscription whole =
        new RelaySubscription(
            CursorKey.ofSlot(SUBSCRIPTION, slots, 0),
            Start.EARLIEST,
            Duration.ofMinutes(1),
            "",
            new Shares(slots, all));
    try (RelayStore store = database().relayStore(dataSource(), whole)) {
      store.look();
      assertThat(store.slotsWithWork(all)).isEmpty();
      ParkedMessages messages = process().parkedMessages(SUBSCRIPTION);
      messages.retry(deadOf(2).place().number());
      assertThat(store.slotsWithWork(all)).containsExactly(1);
      assertThat(store.slotsWithWork(Set.of(0, 2))).isEmpty();
      messages.discard(deadOf(3).place().number());
      assertThat(store.slotsWithWork(all)).containsExactlyInAnyOrder(1, 2);
    }
  }

  private Parked deadOf(int partition) {
    return parked(new Reader(Reader.Kind.SUBSCRIPTION, SUBSCRIPTION, partition)).get(0);
  }

  @Test
  void requestOfOnePartitionIsRefusedAndReachesNone() {
    try (RunningRelay relay = allDead()) {
      Reader one = new Reader(Reader.Kind.SUBSCRIPTION, SUBSCRIPTION, 2);
      assertThatThrownBy(
              () -> new Verb.Discard(one, new Which.Selected(ParkedSelection.ALL), Pace.UNLIMITED))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("all partitions");
      assertThat(parked(WHOLE)).hasSize(KEYS);
      assertThat(relay.state()).isNotNull();
    }
  }

  @Test
  void replayTakesTheMessagesOfAllPartitionsOnceMore() {
    try (RunningRelay relay = start(SUBSCRIPTION)) {
      appendKeys();
      until("all are settled", () -> handled.size() == KEYS && pending() == 0);
      RequestStatus replayed =
          ask(new Verb.Replay(SUBSCRIPTION, "work", ReplayRange.ALL, Pace.UNLIMITED));
      assertThat(replayed.result()).startsWith(KEYS + " messages");
      until(
          "each is handled once more", () -> handled.size() == 2 * KEYS && parked(WHOLE).isEmpty());
      assertThat(handled.subList(KEYS, 2 * KEYS))
          .extracting(Message::id)
          .containsExactlyInAnyOrderElementsOf(
              handled.subList(0, KEYS).stream().map(Message::id).toList());
      assertThat(relay.state()).isNotNull();
    }
  }

  @Test
  void replayOfAKeyReachesItsPartition() {
    try (RunningRelay relay = start(SUBSCRIPTION)) {
      appendKeys();
      until("all are settled", () -> handled.size() == KEYS && pending() == 0);
      handled.clear();
      for (int i = 0; i < KEYS; i++) {
        ReplayRange range = ReplayRange.ALL.withKey("key-" + i);
        ask(new Verb.Replay(SUBSCRIPTION, "work", range, Pace.UNLIMITED));
        int count = i + 1;
        until("it is handled once more", () -> handled.size() == count);
        assertThat(handled.get(i).key()).isEqualTo("key-" + i);
      }
      assertThat(relay.state()).isNotNull();
    }
  }

  @Test
  void deadLetterOfAnyPartitionIsRevised() {
    try (RunningRelay relay = allDead()) {
      List<Parked> all = parked(WHOLE);
      isBroken = false;
      for (Parked each : all) {
        ParkedPlace place = each.place().ofSubscription();
        RequestStatus revised =
            ask(new Verb.Revise(SUBSCRIPTION, place, Revision.payload(new byte[] {7})));
        assertThat(revised.state()).as(revised.result()).isEqualTo(RequestState.DONE);
      }
      until("the others are handled", () -> handled.size() == KEYS && parked(WHOLE).isEmpty());
      assertThat(handled).allMatch(message -> message.payload()[0] == 7);
      ParkedPlace gone = all.get(0).place().ofSubscription();
      assertThat(ask(new Verb.Revise(SUBSCRIPTION, gone, Revision.payload(new byte[0]))).result())
          .contains("is not parked any more");
      assertThat(relay.state()).isNotNull();
    }
  }

  @Test
  void pauseHoldsForAllPartitionsUntilItIsResumed() {
    try (RunningRelay relay = start(SUBSCRIPTION)) {
      appendKeys();
      until("all are handled", () -> handled.size() == KEYS);
      ask(new Verb.Pause(SUBSCRIPTION, PauseScope.subscription()));
      appendKeys();
      fixture().letPass(Duration.ofSeconds(3)); // longer than a lease
      assertThat(handled).hasSize(KEYS);
      ask(new Verb.Resume(SUBSCRIPTION, PauseScope.subscription()));
      until("the rest is handled", () -> handled.size() == 2 * KEYS);
      assertThat(relay.state()).isNotNull();
    }
  }

  @Test
  void longListOfAllPartitionsIsReadPageByPageInOrder() {
    int count = Count.MAX + 200;
    owner()
        .save(
            LongStream.rangeClosed(1, count)
                .mapToObj(at -> ParkedRows.park(at, "k" + at, ParkedState.DEAD, null))
                .toArray(ParkedChange[]::new));
    execute("UPDATE outledger_parked SET partition_no = 1 + position % 3 WHERE position > 4000");
    execute("UPDATE outledger_parked SET partition_no = 2 WHERE partition_no = 0");
    ParkedPoint next = ParkedPoint.FIRST;
    List<Long> read = new ArrayList<>();
    List<Long> counted = new ArrayList<>();
    ParkedQuery query = ParkedQuery.of(WHOLE);
    while (next != null) {
      Listing<Parked, ParkedPoint> page = process().admin().parked(query.after(next));
      page.rows().forEach(each -> read.add(each.place().number()));
      next = page.next();
    }
    assertThat(read).isEqualTo(LongStream.rangeClosed(1, count).boxed().toList());
    next = ParkedPoint.FIRST;
    while (next != null) {
      Listing<FailureGroup, ParkedPoint> page = process().admin().failures(query.after(next));
      page.rows().forEach(each -> counted.add(each.count().number()));
      next = page.next();
    }
    assertThat(counted).allMatch(each -> each <= Count.MAX).hasSizeGreaterThan(1);
    assertThat(counted.stream().mapToLong(each -> each).sum()).isEqualTo(count);
  }

  @Test
  void messageStandsInItsOwnPartitionAlone() {
    try (RunningRelay relay = start(SUBSCRIPTION)) {
      appendKeys();
      until("all are handled", () -> handled.size() == KEYS);
      assertThat(relay.state()).isNotNull();
    }
    for (long position = 1; position <= KEYS; position++) {
      List<Standing> all = process().admin().message(position).orElseThrow().standings();
      assertThat(all).as("position %s", position).hasSize(1);
      assertThat(all.get(0).partition()).isBetween(1, PARTITIONS);
      assertThat(process().admin().why(position).sentence())
          .contains(SUBSCRIPTION + "/" + all.get(0).partition());
    }
  }

  @Test
  void moveTellsOfAllPartitionsAndARenameTakesThemAlong() {
    try (RunningRelay relay = start(SUBSCRIPTION)) {
      appendKeys();
      until("all are handled", () -> handled.size() == KEYS);
      assertThat(relay.state()).isNotNull();
    }
    Moved moved = process().subscriptions().move(SUBSCRIPTION, Start.at(3));
    assertThat(moved.to()).isEqualTo(2);
    assertThat(moved.from()).isEqualTo(KEYS);
    relayUntil("undivided", all -> all.size() == KEYS);
    assertThat(rename(SUBSCRIPTION, "undivided")).contains("undivided");
    assertThat(cursorsOf(SUBSCRIPTION)).isEqualTo(PARTITIONS);
    rename(SUBSCRIPTION, "renamed");
    assertThat(cursorsOf(SUBSCRIPTION)).isZero();
    assertThat(cursorsOf("renamed")).isEqualTo(PARTITIONS);
    handled.clear();
    try (RunningRelay relay = start("renamed")) {
      until("the rest is handled", () -> handled.size() == KEYS - 2);
      assertThat(relay.state()).isNotNull();
    }
  }

  @Test
  void partitionThatIsBehindAMoveStaysAndSoDoesOneInWhichNothingIsSkipped() {
    try (RunningRelay relay = start(SUBSCRIPTION)) {
      appendKeys();
      until("all are handled", () -> handled.size() == KEYS);
      assertThat(relay.state()).isNotNull();
    }
    process().subscriptions().move(SUBSCRIPTION, Start.at(6));
    execute("UPDATE outledger_cursor SET high = 2 WHERE high = 5 AND partition_no = 1");
    assertThat(process().subscriptions().move(SUBSCRIPTION, Start.at(4)))
        .isEqualTo(new Moved(5, 3));
    assertThat(highs()).containsExactly(2L, 3L, 3L);
    assertCode(
        ErrorCode.INVALID_CONFIGURATION,
        () -> process().subscriptions().move(SUBSCRIPTION, Start.at(5)));
    assertCode(
        ErrorCode.INVALID_CONFIGURATION,
        () -> process().subscriptions().skip(SUBSCRIPTION, Start.at(2)));
    assertThat(process().subscriptions().skip(SUBSCRIPTION, Start.at(3)))
        .isEqualTo(new Moved(2, 2));
    assertThat(highs()).containsExactly(2L, 3L, 3L);
    assertThat(process().subscriptions().skip(SUBSCRIPTION, Start.at(4)))
        .isEqualTo(new Moved(2, 3));
    assertThat(highs()).containsExactly(3L, 3L, 3L);
    process().subscriptions().skip(SUBSCRIPTION, Start.at(5));
    assertThat(highs()).containsExactly(4L, 4L, 4L);
  }

  private List<Long> highs() {
    return process().admin().subscriptions().stream()
        .map(partition -> partition.cursor().high())
        .toList();
  }

  private String rename(String from, String to) {
    return process()
        .requests()
        .ask(new Verb.Rename(Reader.subscription(from), null, to).by("me", "test"))
        .toString();
  }

  private long cursorsOf(String subscription) {
    return count(
        "SELECT COUNT(*) FROM {schema}.outledger_subscription s WHERE s.subscription = ?",
        subscription);
  }

  @Test
  void applicationsOwnPoolIsNotTakenUnasked() {
    assertThatThrownBy(
            () -> process().relay(SUBSCRIPTION).partitions(2).to(new RecordingPublisher()).start())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("relayDataSource");
  }
}
