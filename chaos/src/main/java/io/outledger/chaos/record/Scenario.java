// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import io.outledger.chaos.database.Product;
import io.outledger.chaos.fault.Fault;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is to be shown, how often, and what counts as showing it.
 *
 * @param title what, for people
 * @param wanted how often it is to be shown; 0 where no figure was set
 * @param words the names, in records, of what counts
 */
record Scenario(String title, long wanted, List<String> words) {

  private static final Set<Fault> LINES =
      EnumSet.of(
          Fault.CONNECTION_CUT,
          Fault.REQUESTS_LOST,
          Fault.REPLIES_LOST,
          Fault.REQUESTS_LOST_LONG,
          Fault.REPLIES_LOST_LONG,
          Fault.BROKER_CUT,
          Fault.BROKER_REQUESTS_LOST,
          Fault.BROKER_REPLIES_LOST);

  private static final Set<Fault> ALONE =
      EnumSet.of(
          Fault.RELAY_KILLED,
          Fault.DATABASE_KILLED,
          Fault.BROKER_KILLED,
          Fault.OWNER_FROZEN,
          Fault.OWNER_STOPPED,
          Fault.ROLLED_OUT,
          Fault.ROLLED_BACK,
          Fault.RESTORED,
          Fault.POINT_IN_TIME_RESTORED,
          Fault.FAILED_OVER,
          Fault.LED_TO_REPLICA,
          Fault.REPLICA_PROMOTED);

  private static final List<Scenario> ALL =
      List.of(
          of("owner `kill -9` under load", 300, Fault.RELAY_KILLED),
          of("PostgreSQL `kill -9` (fsync and synchronous_commit on)", 200, Fault.DATABASE_KILLED),
          new Scenario(
              "MariaDB and MySQL `kill -9` (every commit flushed to the disk)",
              300,
              onMySql(Fault.DATABASE_KILLED)),
          of("Kafka `kill -9`", 30, Fault.BROKER_KILLED),
          of("frozen owner (SIGSTOP for 2 to 3 leases)", 50, Fault.OWNER_FROZEN),
          new Scenario("connection cut, half-open, reply swallowed", 100, words(LINES)),
          of("graceful stop under load, lease given back", 100, Fault.OWNER_STOPPED),
          of("new version rolled out, with a new type", 30, Fault.ROLLED_OUT),
          of("new version rolled out, taken back and rolled out again", 20, Fault.ROLLED_BACK),
          of("dump and restore into a new server", 5, Fault.RESTORED),
          new Scenario(
              "MariaDB and MySQL: dump and restore into a new server", 5, onMySql(Fault.RESTORED)),
          of("point-in-time restore", 5, Fault.POINT_IN_TIME_RESTORED),
          of("fail-over to a synchronous standby", 5, Fault.FAILED_OVER),
          of("MariaDB and MySQL: relay led to a replica", 5, Fault.LED_TO_REPLICA),
          of("MariaDB and MySQL: replica takes its server's place", 5, Fault.REPLICA_PROMOTED),
          new Scenario(
              "inbox: the same id processed twice at once", 20_000, List.of(RunRecord.RACE)),
          new Scenario("subscription moved back under load", 100, List.of(RunRecord.MOVE)),
          new Scenario("messages replayed under load", 0, List.of(RunRecord.REPLAY)),
          new Scenario(
              "operator's request, of which the audit has one row", 0, List.of(RunRecord.REQUEST)),
          ofVerbs("part of a subscription paused or resumed by request", "pause", "resume"),
          ofVerbs("replay by request, a stopped one left out", "replay"),
          ofVerbs("dead letters retried or discarded by request", "retry", "discard"),
          ofVerbs("subscription deleted by request, and made again", "delete"),
          new Scenario(
              "one asked for again with its id, after a kill or a lost answer",
              0,
              List.of(RunRecord.ASKED_AGAIN)),
          new Scenario("random faults, minutes", 20, List.of(RunRecord.RANDOM_MINUTES)),
          new Scenario("simulation seeds", 300_000, List.of(RunRecord.SEED)),
          new Scenario("saga, judged after kills of its processes", 1_000, List.of(RunRecord.SAGA)),
          new Scenario("process `kill -9` with sagas under way", 0, List.of(RunRecord.SAGA_KILL)),
          new Scenario(
              "PostgreSQL `kill -9` with sagas under way",
              0,
              List.of(RunRecord.SAGA_DATABASE_KILL)),
          new Scenario("scheduled message, judged after kills", 0, List.of(RunRecord.SCHEDULED)),
          new Scenario(
              "process `kill -9` with messages scheduled", 200, List.of(RunRecord.SCHEDULED_KILL)),
          new Scenario(
              "of these, the one that was moving them", 0, List.of(RunRecord.SCHEDULED_MOVER_KILL)),
          new Scenario(
              "PostgreSQL `kill -9` with messages scheduled",
              0,
              List.of(RunRecord.SCHEDULED_DATABASE_KILL)),
          new Scenario(
              "process with partitions `kill -9`", 0, List.of(RunRecord.PARTITIONS + "killed")),
          new Scenario(
              "process with partitions frozen", 0, List.of(RunRecord.PARTITIONS + "frozen")),
          new Scenario(
              "process with partitions comes or goes",
              0,
              List.of(RunRecord.PARTITIONS + "stopped", RunRecord.PARTITIONS + "joined")),
          new Scenario(
              "Kafka Connect: worker or broker killed or frozen",
              200,
              Stream.of("worker-killed", "worker-frozen", "broker-killed", "broker-frozen")
                  .map(RunRecord.CONNECT::concat)
                  .toList()),
          new Scenario(
              "Kafka Connect: PostgreSQL `kill -9`",
              0,
              List.of(RunRecord.CONNECT + "database-killed")),
          new Scenario(
              "Kafka Connect: topic missing", 0, List.of(RunRecord.CONNECT + "topic-missing")),
          new Scenario("every other fault together", 0, words(others())));

  /** Returns all, in the order of the page. */
  static List<Scenario> all() {
    return ALL;
  }

  /** Says whether what is counted are trials, each of which could have failed. */
  boolean isTrial() {
    return !words.contains(RunRecord.RANDOM_MINUTES);
  }

  private static Scenario of(String title, long wanted, Fault fault) {
    return new Scenario(title, wanted, List.of(fault.word()));
  }

  private static List<String> onMySql(Fault fault) {
    return List.of(RunRecord.fault(fault, Product.MARIADB), RunRecord.fault(fault, Product.MYSQL));
  }

  private static Scenario ofVerbs(String title, String... verbs) {
    return new Scenario(title, 0, Stream.of(verbs).map(RunRecord.VERB::concat).toList());
  }

  private static Set<Fault> others() {
    Set<Fault> others = EnumSet.copyOf(Arrays.asList(Fault.values()));
    others.removeAll(LINES);
    others.removeAll(ALONE);
    return others;
  }

  private static List<String> words(Set<Fault> faults) {
    return faults.stream().map(Fault::word).toList();
  }
}
