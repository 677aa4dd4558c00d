// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.admin.Divide;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.options.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes are given another number of partitions one after the other, while messages come. */
abstract class RollToPartitionsContractTests extends DatabaseContractTests {

  private static final int KEYS = 24;

  private final Map<String, Outledger> processes = new LinkedHashMap<>();
  private final List<Message> published = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> sent = new LinkedHashMap<>();
  private volatile boolean isBroken;
  private volatile CountDownLatch stuck = new CountDownLatch(0);

  @AfterEach
  final void stopAll() {
    stuck.countDown();
    processes.values().forEach(Outledger::close);
  }

  private RunningRelay start(String name, int partitions) {
    Outledger process =
        processes.computeIfAbsent(
            name,
            each ->
                Outledger.builder(dataSource())
                    .relayDataSource(dataSource())
                    .withoutRetention()
                    .instance(each)
                    .build());
    RelayBuilder relay =
        process
            .relay(SUBSCRIPTION)
            .partitions(partitions)
            .options(
                o -> o.lease(Duration.ofSeconds(2)).retry(RetryPolicy.DEFAULT.withAttemptsMax(1)));
    return relay.handlerWithoutTransaction("work", this::handle).start();
  }

  private void handle(Message message) throws InterruptedException {
    if ("key-0".equals(message.key())) {
      stuck.await();
    }
    if (isBroken) {
      throw new IllegalStateException("refused by the test");
    }
    published.add(message);
  }

  private void appendRound() {
    List<Message> round = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + i;
      int number = sent.merge(key, 1, Integer::sum);
      byte[] payload = String.valueOf(number).getBytes(StandardCharsets.UTF_8);
      round.add(Message.to("topic", "type").key(key).payload(payload).build());
    }
    append(round);
  }

  private int total() {
    return sent.values().stream().mapToInt(Integer::intValue).sum();
  }

  private boolean is(String name, String state, int count) {
    return count(
            "SELECT COUNT(*) FROM {schema}.outledger_status s WHERE s.subscription = ?"
                + " AND s.partition_no > 0 AND s.instance = ? AND s.state = ?",
            SUBSCRIPTION,
            name,
            state)
        == count;
  }

  private boolean waits(String name) {
    return count(
            "SELECT COUNT(*) FROM {schema}.outledger_status s WHERE s.subscription = ? AND"
                + " s.instance = ? AND s.state = 'standby' AND s.reason LIKE '%is being divided%'",
            SUBSCRIPTION, name)
        > 0;
  }

  private void assertOnceAndInOrder() {
    Map<String, Integer> last = new LinkedHashMap<>();
    for (Message message : published) {
      int number = Integer.parseInt(new String(message.payload(), StandardCharsets.UTF_8));
      assertThat(number)
          .as("message of %s", message.key())
          .isEqualTo(last.getOrDefault(message.key(), 0) + 1);
      last.put(String.valueOf(message.key()), number);
    }
    assertThat(last).isEqualTo(Map.copyOf(sent));
  }

  private RequestStatus status(Request request) {
    return process().requests().get(request.id()).orElseThrow();
  }

  private Request divide(int partitions) {
    Request request = new Divide(SUBSCRIPTION, partitions).by("anna", "more machines");
    process().requests().ask(request);
    return request;
  }

  private void awaitDone(Request request) {
    until("it is divided", () -> status(request).state() == RequestState.DONE);
  }

  @Test
  final void eachKeyStaysInOrderAndNothingComesTwice() {
    appendRound();
    RunningRelay first = start("first", 6);
    RunningRelay second = start("second", 6);
    until("they share", () -> is("first", "running", 3) && is("second", "running", 3));
    appendRound();
    RunningRelay third = start("third", 4);
    until("another number is refused", () -> is("third", "refused", 4));
    appendRound();
    Request request = divide(4);
    appendRound();
    awaitDone(request);
    appendRound();
    until("the third has all", () -> is("third", "running", 4));
    until("the others are refused", () -> isRefused("first") && isRefused("second"));
    first.close();
    second.close();
    RunningRelay fourth = start("fourth", 4);
    appendRound();
    until("they share", () -> is("third", "running", 2) && is("fourth", "running", 2));
    appendRound();
    until("all is published", () -> published.size() >= total());
    third.close();
    fourth.close();
    assertOnceAndInOrder();
  }

  private boolean isRefused(String name) {
    return is(name, "refused", 6);
  }

  @Test
  final void stuckHandlerKeepsItWaitingAndNothingIsPublishedBeforeItEnds() {
    stuck = new CountDownLatch(1);
    appendRound();
    try (RunningRelay old = start("old", 3);
        RunningRelay next = start("next", 2)) {
      until("all but the stuck one", () -> published.size() == KEYS - 1);
      Request request = divide(2);
      until("the next waits", () -> waits("next"));
      until("two are ready", () -> status(request).done() == 2);
      assertThat(status(request).state()).isEqualTo(RequestState.RUNNING);
      int before = published.size();
      appendRound();
      fixture().letPass(Duration.ofSeconds(1));
      assertThat(published).hasSize(before);
      stuck.countDown();
      awaitDone(request);
      until("the next has all", () -> is("next", "running", 2));
      until("all is published", () -> published.size() >= total());
      assertThat(old.state()).isNotNull();
      assertThat(next.state()).isNotNull();
    }
    assertOnceAndInOrder();
  }

  @Test
  final void deadLettersComeThroughInTheirNewPartitions() {
    isBroken = true;
    appendRound();
    try (RunningRelay old = start("old", 3)) {
      until("all are dead", () -> dead() == KEYS);
      isBroken = false;
      Request request = divide(5);
      awaitDone(request);
      assertThat(status(request).result()).contains("at position " + KEYS);
      assertThat(old.state()).isNotNull();
    }
    try (RunningRelay next = start("next", 5)) {
      assertThat(process().parkedMessages(SUBSCRIPTION).retryAll()).isEqualTo(KEYS);
      until("all come through", () -> published.size() == KEYS && dead() == 0);
      appendRound();
      until("all is published", () -> published.size() >= total());
      assertThat(next.state()).isNotNull();
    }
    assertOnceAndInOrder();
  }

  private long dead() {
    return count(
        "SELECT COUNT(*) FROM {schema}.outledger_parked p WHERE p.subscription = ?", SUBSCRIPTION);
  }

  @Test
  final void subscriptionIsDividedAndMadeWholeAgainWhileItRuns() {
    for (int[] change : new int[][] {{1, 3}, {3, 1}, {1, 2}}) {
      appendRound();
      try (RunningRelay old = start("old-" + change[0], change[0]);
          RunningRelay next = start("next-" + change[1], change[1])) {
        int published = total();
        until("all is published", () -> this.published.size() >= published);
        appendRound();
        Request request = divide(change[1]);
        appendRound();
        awaitDone(request);
        until("all is published", () -> this.published.size() >= total());
        assertThat(old.state()).isNotNull();
        assertThat(next.state()).isNotNull();
      }
    }
    assertOnceAndInOrder();
  }
}
