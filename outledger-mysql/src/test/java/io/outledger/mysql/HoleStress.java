// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
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
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;

/**
 * Writers of every kind beside a relay and beside a naive reader, on a server that may be killed
 * meanwhile; judged by the table's rows.
 */
final class HoleStress {

  /** The type of messages at which a trigger of the application takes its time. */
  static final String SLOW = "order.checked";

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String LAST = "last";
  private static final int UNKNOWN_XID = 1397;

  private HoleStress() {}

  /**
   * How a run is done.
   *
   * @param seed of its choices
   * @param kills how often the server is killed with SIGKILL meanwhile; then it is the test's own
   * @param isOutlived whether one transaction is open from before all others until after them
   * @param sessions parameters of the writers' URL; empty for none
   */
  record Plan(long seed, int kills, boolean isOutlived, String sessions) {

    static Plan of(long seed) {
      return new Plan(seed, 0, false, "");
    }
  }

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

    /** Returns what the writers were told, and is not so in the table. */
    List<String> serverBrokeItsWord() {
      List<String> broken = new ArrayList<>();
      for (WriterStory story : stories) {
        for (String payload : story.payloads()) {
          boolean isExpected = story.outcome() == WriterStory.Outcome.COMMITTED;
          if (story.outcome() != WriterStory.Outcome.IN_DOUBT
              && inTable.contains(payload) != isExpected) {
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
          if (before.outcome() == WriterStory.Outcome.COMMITTED
              && before.key().equals(after.key())
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

  /** Runs it. Numbers are changed meanwhile, unless a transaction is open all the time. */
  static Outcome run(TestDatabase database, Plan plan) throws Exception {
    Queue<RelayEvent> events = new ConcurrentLinkedQueue<>();
    RecordingPublisher publisher = new RecordingPublisher();
    addSlowTrigger(database);
    LoadedFile.allow(database);
    boolean isRenumbered = plan.kills() == 0 && !plan.isOutlived();
    Renumbering renumbering = isRenumbered ? Renumbering.of(database) : Renumbering.none(database);
    try (NaiveReader naive = new NaiveReader(database);
        NastyWriters writers = new NastyWriters(database, plan.sessions(), renumbering);
        Connection longest = database.connect();
        Outledger outledger = Outledger.builder(database.dataSource()).withoutRetention().build()) {
      RunningRelay relay = outledger.relay("kafka").listener(events::add).to(publisher).start();
      List<WriterStory> stories = new ArrayList<>();
      if (plan.isOutlived()) {
        stories.add(begun(database, longest));
      }
      List<Future<List<WriterStory>>> running = writers.start(plan.seed());
      killServer(database, new Random(plan.seed()), plan.kills());
      writers.mayEnd();
      for (Future<List<WriterStory>> each : running) {
        stories.addAll(each.get());
      }
      Await.until("nothing is prepared", PATIENCE, () -> endPrepared(database) == 0);
      outledger.outbox().inNewTransaction(last());
      Await.until("the last is published", PATIENCE, () -> published(publisher).contains(LAST));
      if (plan.isOutlived()) {
        longest.commit();
      }
      Await.until(
          () -> "nothing is open: " + admin(database).subscriptions(),
          PATIENCE,
          () -> isNothingOpen(database));
      relay.close();
      return new Outcome(
          stories, inTable(database), published(publisher), holesDropped(events), naive.read());
    }
  }

  /** Begins the transaction that outlives all others. It is to be committed. */
  private static WriterStory begun(TestDatabase database, Connection longest) throws SQLException {
    longest.setAutoCommit(false);
    List<String> payloads = List.of("longest-0", "longest-1");
    new AppendStatement(database.tables())
        .append(
            longest,
            payloads.stream()
                .map(payload -> NastyWriters.message("longest", "order.placed", payload))
                .toList());
    return new WriterStory("longest", payloads, 0, 0, WriterStory.Outcome.COMMITTED);
  }

  private static void addSlowTrigger(TestDatabase database) {
    database.execute(
        """
        CREATE TRIGGER {schema}.slow BEFORE INSERT ON {schema}.outledger_message FOR EACH ROW
          IF NEW.type = '%s' THEN DO SLEEP(0.02); END IF\
        """
            .formatted(SLOW));
  }

  /** Each while the writers are at work; what they had prepared is ended, or it would stay. */
  private static void killServer(TestDatabase database, Random random, int kills) {
    for (int kill = 0; kill < kills; kill++) {
      long end = System.nanoTime() + Duration.ofMillis(500 + random.nextInt(1_500)).toNanos();
      Await.until(() -> "time passes", PATIENCE, () -> System.nanoTime() > end);
      database.server().kill();
      database.server().restart();
      endPrepared(database);
    }
  }

  /**
   * As a transaction manager would after a failure: by chance of their names, not all the same.
   * What a writer ends itself meanwhile is left to it.
   *
   * @return how many there were
   */
  private static int endPrepared(TestDatabase database) {
    try (Connection connection = database.connect()) {
      List<String> names =
          Sql.in(database.tables(), connection, "XA RECOVER").rows(row -> row.getString(4));
      for (String name : names) {
        end(database, connection, name);
      }
      return names.size();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void end(TestDatabase database, Connection connection, String name)
      throws SQLException {
    String end = name.hashCode() % 2 == 0 ? "XA COMMIT '" : "XA ROLLBACK '";
    try {
      Sql.in(database.tables(), connection, end + name + "'").update();
    } catch (SQLException e) {
      if (e.getErrorCode() != UNKNOWN_XID) {
        throw e;
      }
    }
  }

  private static Admin admin(TestDatabase database) {
    return Admin.of(database.dataSource(), database.tables().schema());
  }

  private static Set<String> inTable(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect()) {
      return new HashSet<>(
          Sql.in(
                  database.tables(),
                  connection,
                  "SELECT m.payload FROM {schema}.outledger_message m")
              .rows(row -> new String(row.getBytes(1), UTF_8)));
    }
  }

  private static boolean isNothingOpen(TestDatabase database) {
    return admin(database).subscriptions().stream()
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
