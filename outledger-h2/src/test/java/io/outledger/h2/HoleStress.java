// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.h2.NastyWriters.Kill;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.sql.Sql;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Writers of every kind beside a relay and beside a naive reader; judged by the table's rows. */
final class HoleStress {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String LAST = "last";

  private HoleStress() {}

  /**
   * What a run has come to.
   *
   * @param stories of the writers
   * @param inTable the payloads that the table holds at the end
   * @param published payloads, in their order
   * @param holesDropped how many
   * @param readByNaive how many messages a naive reader has read
   */
  record Outcome(
      List<WriterStory> stories,
      Set<String> inTable,
      List<String> published,
      long holesDropped,
      int readByNaive) {

    Set<String> lost() {
      Set<String> lost = new HashSet<>(inTable);
      published.forEach(lost::remove);
      return lost;
    }

    Set<String> ghosts() {
      Set<String> ghosts = new HashSet<>(published);
      ghosts.removeAll(inTable);
      return ghosts;
    }

    List<String> publishedTwice() {
      Set<String> seen = new HashSet<>();
      return published.stream().filter(payload -> !seen.add(payload)).toList();
    }

    /** Returns what the writers were told, and is not so in the table. */
    List<String> h2BrokeItsWord() {
      List<String> broken = new ArrayList<>();
      for (WriterStory story : stories) {
        for (String payload : story.payloads()) {
          boolean isThere = inTable.contains(payload);
          boolean isExpected = story.outcome() == WriterStory.Outcome.COMMITTED;
          if (story.outcome() != WriterStory.Outcome.IN_DOUBT && isThere != isExpected) {
            broken.add(payload + " of a transaction that " + story.outcome());
          }
        }
      }
      return broken;
    }

    /** Returns messages published before one of their key that had been committed before. */
    List<String> reordered() {
      Map<String, Integer> at = new HashMap<>();
      for (int i = 0; i < published.size(); i++) {
        at.putIfAbsent(published.get(i), i);
      }
      List<String> reordered = new ArrayList<>();
      for (WriterStory before : stories) {
        for (WriterStory after : stories) {
          if (before.key().equals(after.key())
              && before.ended() < after.begun()
              && first(at, after) < last(at, before)) {
            reordered.add(after.payloads() + " before " + before.payloads());
          }
        }
      }
      return reordered;
    }

    private static int last(Map<String, Integer> at, WriterStory story) {
      return story.payloads().stream().mapToInt(p -> at.getOrDefault(p, -1)).max().orElse(-1);
    }

    private static int first(Map<String, Integer> at, WriterStory story) {
      return story.payloads().stream()
          .mapToInt(p -> at.getOrDefault(p, Integer.MAX_VALUE))
          .min()
          .orElse(Integer.MAX_VALUE);
    }

    String summary() {
      return "%d in the table, %d published, %d holes dropped, %d in doubt, naive reader lost %d"
          .formatted(
              inTable.size(),
              published.size(),
              holesDropped,
              stories.stream().filter(s -> s.outcome() == WriterStory.Outcome.IN_DOUBT).count(),
              inTable.size() - readByNaive);
    }
  }

  static Outcome run(TestH2.Place place, long seed, Set<Kill> kills) throws Exception {
    Queue<RelayEvent> events = new ConcurrentLinkedQueue<>();
    RecordingPublisher publisher = new RecordingPublisher();
    try (TestH2 database = TestH2.create(place);
        NaiveReader naive = new NaiveReader(database);
        Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      SlowTrigger.addTo(database);
      RunningRelay relay = outledger.relay("kafka").listener(events::add).to(publisher).start();
      List<WriterStory> stories = NastyWriters.run(database, seed, kills);
      outledger.outbox().inNewTransaction(last());
      Await.until(
          () -> "nothing is open: " + Admin.of(database.dataSource(), "PUBLIC").subscriptions(),
          PATIENCE,
          () -> published(publisher).contains(LAST) && isNothingOpen(database));
      relay.close();
      return new Outcome(
          stories, inTable(database), published(publisher), holesDropped(events), naive.read());
    }
  }

  private static Set<String> inTable(TestH2 database) throws SQLException {
    try (Connection connection = database.connect()) {
      return new HashSet<>(
          Sql.of(connection, "SELECT payload FROM outledger_message")
              .rows(row -> new String(row.getBytes(1), UTF_8)));
    }
  }

  private static boolean isNothingOpen(TestH2 database) {
    return Admin.of(database.dataSource(), "PUBLIC").subscriptions().stream()
        .allMatch(each -> each.cursor().lowest() == each.cursor().high() + 1);
  }

  private static long holesDropped(Queue<RelayEvent> events) {
    return events.stream()
        .filter(RelayEvent.HolesDropped.class::isInstance)
        .mapToLong(e -> ((RelayEvent.HolesDropped) e).holes().size())
        .sum();
  }

  private static List<String> published(RecordingPublisher publisher) {
    return publisher.messages().stream().map(m -> new String(m.payload(), UTF_8)).toList();
  }

  private static Message last() {
    return Message.to("orders", "order.placed").key(LAST).payload(LAST.getBytes(UTF_8)).build();
  }
}
