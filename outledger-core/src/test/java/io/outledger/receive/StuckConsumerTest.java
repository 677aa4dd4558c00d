// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A broker that counts deliveries, and whose client ends at some of them. */
class StuckConsumerTest {

  private static final int LIMIT = 6;
  private static final int PREFETCH = 50;

  private final Map<String, Integer> queue = new LinkedHashMap<>();
  private final Map<String, Integer> deliveries = new TreeMap<>();
  private boolean handsOverWhatItHas;
  private int standsBy;
  private final List<String> dropped = new ArrayList<>();
  private final List<Window> windows = new ArrayList<>();
  private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

  private synchronized void add(String prefix, int count) {
    for (int i = 0; i < count; i++) {
      queue.put(prefix + i, 0);
    }
  }

  @Test
  void whatEndsEachConsumerIsDroppedByTheBrokerAndNothingElse() throws Exception {
    add("good-a", 20);
    add("bad-a", 1);
    add("good-b", 60);
    add("bad-b", 2);
    add("good-c", 30);
    receiveAll(110);
    assertThat(dropped).containsExactly("bad-a0", "bad-b0", "bad-b1");
    assertThat(handled).allMatch(id -> id.startsWith("good-"));
  }

  @Test
  void firstDeliveryThatEndsEachConsumerIsDroppedAlone() throws Exception {
    add("bad-a", 1);
    add("good-a", 600);
    receiveAll(600);
    assertThat(dropped).containsExactly("bad-a0");
    assertThat(windows).startsWith(Window.FULL, Window.FULL, Window.ONE);
    assertThat(windows.get(windows.size() - 1)).isEqualTo(Window.FULL);
  }

  @Test
  void consumerThatIsEndedOnceHasAFullWindowAgain() throws Exception {
    add("good-a", 5);
    add("once-a", 1);
    add("good-b", 5);
    receiveAll(11);
    assertThat(windows).containsOnly(Window.FULL);
    assertThat(dropped).isEmpty();
  }

  @Test
  void whatWasDeliveredBeforeTheFailureIsHandledAndDeliveredOnce() throws Exception {
    handsOverWhatItHas = true;
    add("good-a", 20);
    add("bad-a", 1);
    add("good-b", 60);
    add("bad-b", 1);
    add("good-c", 10);
    receiveAll(90);
    assertThat(dropped).containsExactly("bad-a0", "bad-b0");
    assertThat(deliveries.keySet()).filteredOn(id -> id.startsWith("good-")).hasSize(90);
    assertThat(deliveries)
        .allSatisfy(
            (id, times) -> assertThat(times).as(id).isEqualTo(id.startsWith("bad-") ? LIMIT : 1));
  }

  /** Another one has the session: no delivery has ended it, however often it asks. */
  @Test
  void consumerThatStandsByHasAFullWindowInItsTurn() throws Exception {
    standsBy = 2;
    add("good-a", 5);
    receiveAll(5);
    assertThat(windows).hasSize(3).containsOnly(Window.FULL);
  }

  private void receiveAll(int count) throws InterruptedException {
    try (OpenReceiver running =
        QueueReceiver.start(
            new ReceiverContext(
                "queue",
                ReceiverOptions.DEFAULT,
                ReceiverListener.NONE,
                TimeSource.system(),
                new SplittableRandom(1)),
            batch -> batch.forEach(message -> handled.add(message.id())),
            this::open)) {
      for (int i = 0; i < count; i++) {
        String next = handled.poll(30, TimeUnit.SECONDS);
        assertThat(next).as("message %s; dropped: %s", i, dropped).isNotNull();
      }
      assertThat(running.isRunning()).isTrue();
    }
  }

  private synchronized Consumer open(Window window) {
    windows.add(window);
    return new Consumer(window == Window.ONE ? 1 : PREFETCH);
  }

  /** Takes as many as it may, and so counts them as delivered. */
  private synchronized List<String> deliver(Consumer to) throws IOException {
    List<String> delivered = new ArrayList<>();
    for (String id : List.copyOf(queue.keySet())) {
      if (!to.ends && !to.outstanding.contains(id) && to.outstanding.size() < to.prefetch) {
        to.outstanding.add(id);
        deliveries.merge(id, 1, Integer::sum);
        int times = queue.merge(id, 1, Integer::sum);
        to.ends = id.startsWith("bad-") || (id.startsWith("once-") && times == 1);
        if (!to.ends) {
          delivered.add(id);
        }
      }
    }
    if (to.ends && (delivered.isEmpty() || !handsOverWhatItHas)) {
      throw new IOException("unknown type of a header");
    }
    return delivered;
  }

  private synchronized void giveBack() {
    queue.entrySet().removeIf(entry -> entry.getValue() >= LIMIT && dropped.add(entry.getKey()));
  }

  private synchronized void acknowledged(List<String> done) {
    queue.keySet().removeAll(done);
  }

  private final class Consumer implements SingleStreamDeliveries<String> {

    private final int prefetch;
    private final List<String> outstanding = new ArrayList<>();
    private boolean ends;

    Consumer(int prefetch) {
      this.prefetch = prefetch;
    }

    @Override
    public List<Batch<String>> receive(Duration patience) throws IOException, StandByException {
      if (standsBy-- > 0) {
        throw new StandByException("another one has the session");
      }
      List<Arrival<String>> arrivals = new ArrayList<>();
      for (String id : deliver(this)) {
        arrivals.add(Arrival.read(id, 1, () -> message(id)));
      }
      return arrivals.isEmpty() ? List.of() : List.of(new Batch<>("queue", arrivals));
    }

    private static Received message(String id) {
      return new Received(
          "/orders", id, "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
    }

    @Override
    public Optional<Redelivery> redelivery() {
      return Optional.empty();
    }

    @Override
    public Optional<DeliveryLimit> deliveryLimit() {
      return Optional.of(
          new DeliveryLimit(LIMIT, "it drops a message after " + LIMIT + " deliveries"));
    }

    @Override
    public void acknowledge(List<String> done) {
      acknowledged(done);
      outstanding.removeAll(done);
    }

    @Override
    public void keep(List<String> held) {}

    @Override
    public void close() {
      giveBack();
    }
  }
}
