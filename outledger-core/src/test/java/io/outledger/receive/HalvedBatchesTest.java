// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import io.outledger.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many transactions a batch takes in which some messages fail. */
class HalvedBatchesTest {

  private final ScriptedStore store = new ScriptedStore();
  private final ScriptedQueue queue = new ScriptedQueue();

  private final TimeSource time = TimeSource.system();

  private Receiver<String> receiver() {
    return new Receiver<>(
        store,
        new ReceiverContext(
            "queue",
            ReceiverOptions.DEFAULT,
            ReceiverListener.NONE,
            time,
            new SplittableRandom(1)));
  }

  private void receive(List<String> ids) throws Exception {
    receive(receiver(), ids);
  }

  private void receive(Receiver<String> receiver, List<String> ids) throws Exception {
    queue.reader =
        id ->
            new Received("/orders", id, "orders", id, "t", 1, new byte[0], Map.of(), null, "", "");
    queue.add(ids.toArray(String[]::new));
    receiver.step(new QueueSource<>(queue.open(), time, longest -> {}, () -> false));
    assertThat(queue.isDone()).isTrue();
  }

  private static List<String> ids(int count) {
    return IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
  }

  @Test
  void oneFailingMessageOfAHundredCostsAFewTransactions() throws Exception {
    for (String bad : List.of("m0", "m37", "m50", "m99")) {
      store.transactions.clear();
      store.parked.clear();
      store.failing.clear();
      store.failing.add(bad);
      receive(ids(100));
      assertThat(store.parked).containsExactly(bad);
      assertThat(store.transactions).as("transactions with %s", bad).hasSizeLessThan(25);
    }
  }

  @Test
  void aFewFailingMessagesAreParkedEachAndNoOther() throws Exception {
    store.failing.addAll(List.of("m3", "m4", "m200", "m511"));
    receive(ids(512));
    assertThat(store.parked).containsExactly("m3", "m4", "m200", "m511");
    assertThat(store.transactions).hasSizeLessThan(70);
  }

  @Test
  void failingMessagesInARowCostTwoTransactionsEach() throws Exception {
    List<String> all = new ArrayList<>(ids(19)); // one more opens the breaker
    store.failing.addAll(all);
    receive(all);
    assertThat(store.parked).containsExactlyElementsOf(all);
    assertThat(store.transactions).hasSizeLessThan(2 * all.size() + 5);
  }

  /** As of a partition that has a message now and then, beside others that have many. */
  @Test
  void batchesOfOneOrTwoBetweenLeaveTheLargeOnesWhole() throws Exception {
    Receiver<String> receiver = receiver();
    receive(receiver, ids(400));
    receive(receiver, ids(1));
    receive(receiver, ids(400));
    receive(receiver, ids(2));
    receive(receiver, ids(400));
    assertThat(store.transactions).containsExactly(400, 1, 400, 2, 400);
  }

  @Test
  void failureOfOneAloneLeavesTheLargeOnesWhole() throws Exception {
    Receiver<String> receiver = receiver();
    store.failing.add("m0");
    receive(receiver, ids(1));
    assertThat(store.parked).containsExactly("m0");
    store.failing.clear();
    store.transactions.clear();
    receive(receiver, ids(400));
    assertThat(store.transactions).containsExactly(400);
  }

  @Test
  void batchesAreWholeAgainAfterAFailure() throws Exception {
    store.failing.add("m1");
    receive(ids(1_000));
    store.transactions.clear();
    receive(ids(1_000));
    assertThat(store.parked).hasSize(2);
    store.failing.clear();
    store.transactions.clear();
    receive(ids(1_000));
    assertThat(store.transactions).containsExactly(1_000);
  }
}
