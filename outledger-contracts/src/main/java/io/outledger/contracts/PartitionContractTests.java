// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.OutledgerBuilder;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.TransactionalHandler;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.Slots;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A subscription whose partitions several processes share. */
abstract class PartitionContractTests extends DatabaseContractTests {

  private static final int PARTITIONS = 6;
  private static final int KEYS = 24;

  private final Map<String, Outledger> processes = new LinkedHashMap<>();
  private final List<Message> published = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> sent = new ConcurrentHashMap<>();

  @AfterEach
  final void stopAll() {
    processes.values().forEach(Outledger::close);
  }

  private Outledger processOf(String name) {
    return processes.computeIfAbsent(name, each -> builder(dataSource()).instance(each).build());
  }

  private static OutledgerBuilder builder(DataSource dataSource) {
    return Outledger.builder(dataSource).relayDataSource(dataSource).withoutRetention();
  }

  private RunningRelay start(String name) {
    return start(name, relay -> published.add(relay));
  }

  private RunningRelay start(String name, Consumer<Message> handler) {
    return relay(name, PARTITIONS).handlerWithoutTransaction("work", handler::accept).start();
  }

  private RelayBuilder relay(String name, int partitions) {
    return processOf(name)
        .relay(SUBSCRIPTION)
        .partitions(partitions)
        .options(o -> o.lease(Duration.ofSeconds(2)));
  }

  /** Appends the next message of each key. */
  private void appendRound() {
    List<Message> round = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + i;
      int number = sent.merge(key, 1, Integer::sum);
      round.add(
          Message.to("topic", "type")
              .key(key)
              .payload(String.valueOf(number).getBytes(StandardCharsets.UTF_8))
              .build());
    }
    append(round);
  }

  private int total() {
    return sent.values().stream().mapToInt(Integer::intValue).sum();
  }

  private long held(String name) {
    return count(
        "SELECT COUNT(*) FROM {schema}.outledger_status s WHERE s.subscription = ?"
            + " AND s.partition_no > 0 AND s.instance = ? AND s.state = 'running'",
        SUBSCRIPTION,
        name);
  }

  private Map<String, Integer> lastOfEachKey() {
    Map<String, Integer> last = new LinkedHashMap<>();
    published.forEach(each -> last.merge(String.valueOf(each.key()), number(each), Math::max));
    return last;
  }

  private static int number(Message message) {
    return Integer.parseInt(new String(message.payload(), StandardCharsets.UTF_8));
  }

  /** A message may come again after a crash, but not before the one before it. */
  private void assertNoneOvertakes() {
    Map<String, Integer> last = new LinkedHashMap<>();
    for (Message message : published) {
      int before = last.getOrDefault(message.key(), 0);
      assertThat(number(message)).as("message of %s", message.key()).isBetween(1, before + 1);
      last.put(String.valueOf(message.key()), Math.max(before, number(message)));
    }
  }

  /** Each message of a key takes effect once, after the one before it. */
  private void assertOnceAndInOrder() {
    Map<String, Integer> last = new LinkedHashMap<>();
    for (Message message : published) {
      int number = number(message);
      assertThat(number)
          .as("message of %s", message.key())
          .isEqualTo(last.getOrDefault(message.key(), 0) + 1);
      last.put(String.valueOf(message.key()), number);
    }
    assertThat(last).isEqualTo(Map.copyOf(sent));
  }

  @Test
  void instancesThatComeAndGoShareThePartitionsAndKeepEachKeyInOrder() {
    appendRound();
    RunningRelay first = start("first");
    until("the first has all", () -> held("first") == PARTITIONS);
    appendRound();
    RunningRelay second = start("second");
    until("they share", () -> held("first") == 3 && held("second") == 3);
    appendRound();
    RunningRelay third = start("third");
    until("three share", () -> held("first") == 2 && held("second") == 2 && held("third") == 2);
    appendRound();
    until("all is published", () -> published.size() >= total());
    first.close();
    until("the others have the rest", () -> held("second") == 3 && held("third") == 3);
    appendRound();
    until("all is published", () -> published.size() >= total());
    second.close();
    third.close();
    assertOnceAndInOrder();
  }

  @Test
  void partitionsOfAProcessThatDiesAreTakenOver() {
    KillingDataSource killing = new KillingDataSource(dataSource());
    processes.put("dying", builder(killing.dataSource()).instance("dying").build());
    RunningRelay dying = start("dying");
    until("it has all", () -> held("dying") == PARTITIONS);
    appendRound();
    until("all is published", () -> published.size() >= total());
    killing.die();
    RunningRelay heir = start("heir");
    appendRound();
    until("the heir has all", () -> held("heir") == PARTITIONS);
    until("nothing is lost", () -> lastOfEachKey().equals(Map.copyOf(sent)));
    dying.close();
    heir.close();
    assertNoneOvertakes();
  }

  @Test
  void partitionsWhoseHandlerIsStuckHoldUpThemselvesAlone() {
    CountDownLatch end = new CountDownLatch(1);
    Set<Integer> stuck = Set.of(0, 3);
    Consumer<Message> handler =
        message -> {
          if (stuck.contains(slotOf(String.valueOf(message.key())))) {
            awaitLatch(end);
          }
          published.add(message);
        };
    try (RunningRelay relay = start("first", handler)) {
      until("it has all", () -> held("first") == PARTITIONS);
      appendRound();
      long others = sent.keySet().stream().filter(key -> !stuck.contains(slotOf(key))).count();
      assertThat(others).isBetween(1L, KEYS - 2L);
      until("the others are handled", () -> published.size() == others);
      end.countDown();
      until("all are handled", () -> published.size() == total());
      assertThat(relay.state()).isNotNull();
    }
    assertOnceAndInOrder();
  }

  private static int slotOf(String key) {
    return new Slots(PARTITIONS)
        .of(Message.to("topic", "type").key(key).payload(new byte[0]).build());
  }

  /** Each partition's owner sees the declaration with the messages that were committed after it. */
  @Test
  void routeThatOnlyAnotherProcessHasMissesNothingOfAnyPartition() {
    List<Message> more = new CopyOnWriteArrayList<>();
    try (RunningRelay old = start("old")) {
      until("the old one has all", () -> held("old") == PARTITIONS);
      try (RunningRelay young =
          relay("young", PARTITIONS)
              .handlerWithoutTransaction("work", published::add)
              .handlerWithoutTransaction("more", more::add)
              .start()) {
        appendRound();
        appendRound();
        until("the new route has all", () -> more.size() == total());
        until("so has the other", () -> published.size() == total());
        assertThat(old.state()).isNotNull();
        assertThat(young.state()).isNotNull();
      }
    }
    assertThat(count("SELECT COUNT(*) FROM {schema}.outledger_parked")).isZero();
    assertOnceAndInOrder();
    published.clear();
    published.addAll(more);
    assertOnceAndInOrder();
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static RunningRelay startInvoices(Outledger outledger, TransactionalHandler invoices) {
    return outledger.relay("invoices").partitions(12).handler("invoice", invoices).start();
  }

  @Test
  void handlerInTransactionsTakesEachMessageOnceInOneOfTwoProcesses() {
    appendRound();
    TransactionalHandler invoices = (connection, message) -> published.add(message);
    try (RunningRelay first = startInvoices(processOf("first"), invoices);
        RunningRelay second = startInvoices(processOf("second"), invoices)) {
      until("all is handled", () -> published.size() >= total());
      appendRound();
      until("all is handled", () -> published.size() >= total());
      assertThat(first.state()).isNotNull();
      assertThat(second.state()).isNotNull();
    }
    assertOnceAndInOrder();
  }

  @Test
  void anotherNumberOfPartitionsIsRefusedAndPublishesNothing() {
    try (RunningRelay relay = start("first")) {
      until("it has all", () -> held("first") == PARTITIONS);
      assertThat(relay.state()).isNotNull();
    }
    appendRound();
    for (int other : List.of(1, PARTITIONS - 1, PARTITIONS + 1)) {
      RecordingPublisher publisher = new RecordingPublisher();
      try (RunningRelay relay = relay("other", other).to(publisher).start()) {
        until(
            "it is refused",
            () ->
                count(
                        "SELECT COUNT(*) FROM {schema}.outledger_status s WHERE s.subscription = ?"
                            + " AND s.state = 'refused' AND s.reason LIKE '%OUT-060%'",
                        SUBSCRIPTION)
                    > 0);
        assertThat(relay.state()).isNotNull();
      }
      assertThat(publisher.messages()).isEmpty();
      execute("DELETE FROM outledger_status");
    }
    try (RunningRelay relay = start("first")) {
      until("all is published", () -> published.size() >= total());
      assertThat(relay.state()).isNotNull();
    }
    assertOnceAndInOrder();
  }

  @Test
  void processThatIsRefusedTakesNoShareOfTheOthers() {
    try (RunningRelay right = start("first")) {
      until("it has all", () -> held("first") == PARTITIONS);
      try (RunningRelay wrong =
          relay("other", PARTITIONS / 2)
              .handlerWithoutTransaction("work", published::add)
              .start()) {
        until("it is refused", () -> refusedOf("other") == PARTITIONS / 2);
        fixture().letPass(Duration.ofSeconds(3)); // longer than a lease
        assertThat(held("first")).isEqualTo(PARTITIONS);
        assertThat(wrong.state()).isNotNull();
      }
      appendRound();
      until("all is published", () -> published.size() >= total());
      assertThat(right.state()).isNotNull();
    }
    assertOnceAndInOrder();
  }

  private long refusedOf(String name) {
    return count(
        "SELECT COUNT(*) FROM {schema}.outledger_status s WHERE s.subscription = ?"
            + " AND s.instance = ? AND s.state = 'refused'",
        SUBSCRIPTION,
        name);
  }

  @Test
  void subscriptionThatWasNotDividedIsNotDividedByAStart() {
    append("a");
    relayUntil(all -> all.size() == 1);
    appendRound();
    try (RunningRelay relay = start("first")) {
      until(
          "it is refused",
          () ->
              count(
                      "SELECT COUNT(*) FROM {schema}.outledger_status s WHERE s.subscription = ?"
                          + " AND s.state = 'refused'",
                      SUBSCRIPTION)
                  > 0);
      assertThat(relay.state()).isNotNull();
    }
    assertThat(published).isEmpty();
    assertThat(relayUntil(all -> all.size() == KEYS)).hasSize(KEYS);
  }

  @Test
  void drainedSubscriptionIsMadeAgainWithAnotherNumber() {
    appendRound();
    try (RunningRelay relay = start("first")) {
      until("all is published", () -> published.size() >= total());
      assertThat(relay.state()).isNotNull();
    }
    process().subscriptions().delete(SUBSCRIPTION);
    try (RunningRelay relay =
        relay("second", 4)
            .from(Start.NOW)
            .handlerWithoutTransaction("work", published::add)
            .start()) {
      until("it has all", () -> held("second") == 4);
      appendRound();
      until("all is published", () -> published.size() >= total());
      assertThat(relay.state()).isNotNull();
    }
    assertOnceAndInOrder();
  }

  @Test
  void requestsReachEveryPartition() {
    Set<String> failing = ConcurrentHashMap.newKeySet();
    failing.add("all");
    RunningRelay relay =
        relay("first", PARTITIONS)
            .options(o -> o.retry(RetryPolicy.DEFAULT.withAttemptsMax(1)))
            .handlerWithoutTransaction(
                "work",
                message -> {
                  if (!failing.isEmpty()) {
                    throw new IllegalStateException("refused by the test");
                  }
                  published.add(message);
                })
            .start();
    appendRound();
    until("all are dead", () -> parked("dead") == KEYS);
    failing.clear();
    process().parkedMessages(SUBSCRIPTION).retryAll();
    until("all came through", () -> published.size() == KEYS && parked("dead") == 0);
    relay.close();
    assertOnceAndInOrder();
    process().subscriptions().move(SUBSCRIPTION, Start.EARLIEST);
    published.clear();
    RunningRelay again = start("second");
    until("all are published again", () -> published.size() == KEYS);
    again.close();
    assertOnceAndInOrder();
    process().subscriptions().delete(SUBSCRIPTION);
    assertCode(
        ErrorCode.UNKNOWN_SUBSCRIPTION,
        () -> process().subscriptions().move(SUBSCRIPTION, Start.EARLIEST));
  }

  private long parked(String state) {
    return count(
        "SELECT COUNT(*) FROM {schema}.outledger_parked p WHERE p.subscription = ? AND p.state = ?",
        SUBSCRIPTION,
        state);
  }
}
