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
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Standing;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
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

  private void await(String what, BooleanSupplier holds) {
    for (int i = 0; i < 600 && !holds.getAsBoolean(); i++) {
      fixture().letPass(Duration.ofMillis(50));
    }
    assertThat(holds.getAsBoolean()).as(what).isTrue();
  }

  private List<Parked> parked(Reader owner) {
    return process().admin().parked(ParkedQuery.of(owner)).rows();
  }

  private RunningRelay allDead() {
    isBroken = true;
    appendKeys();
    RunningRelay relay = start(SUBSCRIPTION);
    await(
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
      await("none is parked", () -> parked(WHOLE).isEmpty());
      assertThat(handled).hasSize(KEYS - 1);
      assertThat(messages.retry(all.get(0).place().number())).isFalse();
      assertThat(relay.state()).isNotNull();
    }
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
  void replayIsRefusedAndSaysWhy() {
    try (RunningRelay relay = start(SUBSCRIPTION)) {
      appendKeys();
      await("all are handled", () -> handled.size() == KEYS);
      assertThat(
              process()
                  .requests()
                  .ask(
                      new Verb.Replay(SUBSCRIPTION, "work", ReplayRange.ALL, Pace.UNLIMITED)
                          .by("me", "test"))
                  .toString())
          .contains(ErrorCode.OTHER_PARTITIONS.code());
      assertThat(relay.state()).isNotNull();
    }
    assertThat(handled).hasSize(KEYS);
  }

  @Test
  void messageStandsInItsOwnPartitionAlone() {
    try (RunningRelay relay = start(SUBSCRIPTION)) {
      appendKeys();
      await("all are handled", () -> handled.size() == KEYS);
      assertThat(relay.state()).isNotNull();
    }
    for (long position = 1; position <= KEYS; position++) {
      List<Standing> all = process().admin().message(position).orElseThrow().standings();
      assertThat(all).as("position %s", position).hasSize(1);
      assertThat(all.get(0).partition()).isBetween(1, PARTITIONS);
    }
  }

  @Test
  void moveTellsOfAllPartitionsAndARenameTakesThemAlong() {
    try (RunningRelay relay = start(SUBSCRIPTION)) {
      appendKeys();
      await("all are handled", () -> handled.size() == KEYS);
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
      await("the rest is handled", () -> handled.size() == KEYS - 2);
      assertThat(relay.state()).isNotNull();
    }
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
