// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ConfigurationException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Three subscriptions of one ledger, while it is written, purged, and each of them is moved. */
class SeveralSubscriptionsIT {

  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int WRITERS = 3;
  private static final int TRANSACTIONS = 150;

  private final StoreDatabase database = StoreDatabase.create();
  private final Outledger outledger = Outledger.builder(database.dataSource()).build();
  private final Map<String, RecordingPublisher> publishers = new LinkedHashMap<>();
  private final Queue<String> committed = new ConcurrentLinkedQueue<>();
  private final CountDownLatch writing = new CountDownLatch(WRITERS);

  @Test
  void eachGetsEverythingInOrderWhateverIsPurgedAndMoved() throws Exception {
    List<RunningRelay> relays = new ArrayList<>();
    for (String name : NAMES) {
      RecordingPublisher publisher = new RecordingPublisher();
      publishers.put(name, publisher);
      relays.add(outledger.relay(name).to(publisher).start());
    }
    Await.until(
        "all subscriptions are made",
        LiveRelay.PATIENCE,
        () -> outledger.admin().subscriptions().size() == NAMES.size());
    try (outledger) {
      List<Callable<Void>> work = new ArrayList<>(List.of(this::move, this::purge));
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        work.add(() -> write(writer));
      }
      allOf(work);
      assertThat(committed).hasSizeGreaterThan(WRITERS * TRANSACTIONS / 2);
      publishers.forEach(this::awaitAllInOrder);
      assertThat(relays).hasSize(NAMES.size());
    }
  }

  private Void write(int writer) throws SQLException {
    SplittableRandom random = new SplittableRandom(writer);
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < TRANSACTIONS; i++) {
        String key = "w" + writer;
        String payload = key + "-" + i;
        outledger.outbox().append(connection, LiveRelay.message(key, payload));
        if (random.nextInt(5) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          committed.add(payload);
        }
      }
    } finally {
      writing.countDown();
    }
    return null;
  }

  private Void purge() {
    while (writing.getCount() > 0) {
      outledger.retention().purgeMessages(Duration.ZERO);
    }
    return null;
  }

  /** Back to something that is settled, so that nothing is skipped. */
  private Void move() {
    SplittableRandom random = new SplittableRandom(7);
    while (writing.getCount() > 0) {
      for (SubscriptionState one : outledger.admin().subscriptions()) {
        try {
          long back = Math.max(1, one.cursor().lowest() - random.nextInt(50));
          outledger.subscriptions().move(one.name(), Start.at(back));
        } catch (ConfigurationException e) {
          assertThat(e).hasMessageContaining("retention has removed");
        }
      }
    }
    return null;
  }

  private void awaitAllInOrder(String name, RecordingPublisher publisher) {
    Await.until(
        () -> name + " has " + first(publisher).size() + " of " + committed.size(),
        LiveRelay.PATIENCE,
        () -> first(publisher).size() >= committed.size());
    assertThat(first(publisher)).containsExactlyInAnyOrderElementsOf(committed);
    for (int i = 0; i < WRITERS; i++) {
      String key = "w" + i + "-";
      assertThat(first(publisher))
          .filteredOn(payload -> payload.startsWith(key))
          .containsExactlyElementsOf(committed.stream().filter(p -> p.startsWith(key)).toList());
    }
  }

  /** The first arrival of each. */
  private static List<String> first(RecordingPublisher publisher) {
    return publisher.messages().stream()
        .map(message -> new String(message.payload(), UTF_8))
        .distinct()
        .toList();
  }

  private static void allOf(List<Callable<Void>> work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(work.size());
    try {
      for (Future<Void> each : pool.invokeAll(work)) {
        each.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
