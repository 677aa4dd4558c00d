// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.kafka.KafkaPublisher;
import io.outledger.relay.context.Wakeup;
import io.outledger.servers.Await;
import io.outledger.servers.CpuTime;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * The connector with one task, exactly-once, beside a relay, turn by turn, into one Kafka: records
 * a second from the first to the last that the broker has appended, so that neither pays for its
 * start.
 */
final class ConnectBenchmark {

  private static final int MESSAGES = 300_000;
  private static final int ROUNDS = 5;
  private static final int WARM_UPS = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final Duration IDLE = Duration.ofSeconds(20);
  private static final double PERCENT = 100;

  private final int messages;
  private final int rounds;
  private final Consumer<String> progress;
  private final List<Turn> relays = new ArrayList<>();
  private final List<Turn> connectors = new ArrayList<>();

  private ConnectBenchmark(Wish wish, Consumer<String> progress) {
    this.messages = wish.messages(MESSAGES);
    this.rounds = wish.rounds(ROUNDS);
    this.progress = progress;
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws IOException, SQLException, InterruptedException {
    return new ConnectBenchmark(wish, progress).run().report();
  }

  /**
   * One turn of one side.
   *
   * @param perSecond records a second
   * @param own microseconds of processor time a record: the relay's JVM, or the worker's
   * @param broker the broker's
   * @param database the database's
   */
  private record Turn(double perSecond, double own, double broker, double database) {}

  private record Servers(
      Postgres database, KafkaProcess broker, WaitingLedger ledger, MeasuredConnector connector) {

    double[] cpu(long own) {
      return new double[] {
        CpuTime.seconds(own), CpuTime.seconds(broker.pid()), CpuTime.seconds(database.pid())
      };
    }
  }

  private Findings run() throws IOException, SQLException, InterruptedException {
    Path folder = Files.createTempDirectory("outledger-connect-");
    try (Postgres database = Postgres.start();
        KafkaProcess broker = KafkaProcess.builder().longLived().startProcess();
        MeasuredConnector connector = MeasuredConnector.start(broker, folder)) {
      WaitingLedger ledger = WaitingLedger.empty(database);
      ledger.fill(messages);
      Servers servers = new Servers(database, broker, ledger, connector);
      for (int round = 1 - WARM_UPS; round <= rounds; round++) {
        Turn relay = relay(servers, round);
        Turn task = connector(servers, round);
        say(round, relay, task);
        if (round > 0) {
          relays.add(relay);
          connectors.add(task);
        }
      }
      return findings(servers, idle(servers));
    }
  }

  private Turn relay(Servers servers, int round) throws SQLException, InterruptedException {
    try (TopicOfRecords topic = TopicOfRecords.timed(servers.broker(), "relay" + round)) {
      KafkaPublisher publisher =
          KafkaPublisher.with(topic.settings(Map.of())).topics(given -> topic.name());
      long own = ProcessHandle.current().pid();
      double[] before = servers.cpu(own);
      new RelayDrain(servers.ledger(), "relay-" + round, publisher).run();
      return turn(topic, before, servers.cpu(own));
    }
  }

  private Turn connector(Servers servers, int round) throws SQLException, InterruptedException {
    String subscription = "connector-" + round;
    try (TopicOfRecords topic = TopicOfRecords.timed(servers.broker(), "connector" + round)) {
      double[] before = servers.cpu(servers.connector().pid());
      servers.connector().read(servers.ledger(), subscription, topic.name());
      Await.until(
          "the connector has read everything",
          PATIENCE,
          () -> isRead(servers.ledger(), subscription));
      double[] after = servers.cpu(servers.connector().pid());
      servers.connector().forget();
      return turn(topic, before, after);
    }
  }

  /** Returns whether the row of its cursor tells that all is sent; it follows within a second. */
  private static boolean isRead(WaitingLedger ledger, String subscription) throws SQLException {
    return ledger.number(
            "SELECT count(*) FROM outledger_subscription WHERE subscription = '"
                + subscription
                + "' AND open_first = '{}' AND high >="
                + " (SELECT max(position) FROM outledger_message)")
        > 0;
  }

  private Turn turn(TopicOfRecords topic, double[] before, double[] after) {
    double each = 1e6 / messages;
    return new Turn(
        topic.appendedPerSecond(messages),
        (after[0] - before[0]) * each,
        (after[1] - before[1]) * each,
        (after[2] - before[2]) * each);
  }

  /** Returns which part of a core the worker takes whose task has nothing to read. */
  private double idle(Servers servers) throws SQLException, InterruptedException {
    try (TopicOfRecords topic = TopicOfRecords.timed(servers.broker(), "idle")) {
      servers.connector().read(servers.ledger(), "connector-1", topic.name());
      new Wakeup().await(IDLE); // until it has its lease, and has seen that nothing waits
      double before = CpuTime.seconds(servers.connector().pid());
      long start = System.nanoTime();
      new Wakeup().await(IDLE);
      double seconds = (System.nanoTime() - start) / 1e9;
      return PERCENT * (CpuTime.seconds(servers.connector().pid()) - before) / seconds;
    }
  }

  private void say(int round, Turn relay, Turn connector) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "%s: relay %,.0f/s, connector %,.0f/s, ratio %.2f",
            round > 0 ? "round " + round : "warm-up",
            relay.perSecond(),
            connector.perSecond(),
            connector.perSecond() / relay.perSecond()));
  }

  private Findings findings(Servers servers, double idle) throws IOException, SQLException {
    Findings findings =
        new Findings(
            "%,d messages, %d rounds, PostgreSQL %s, Kafka, acks=all; the worker has a heap of %d"
                + " MiB",
            messages,
            rounds,
            servers.ledger().text("SHOW server_version"),
            MeasuredConnector.HEAP_MIB);
    Sample relay = sample(relays, Turn::perSecond);
    Sample connector = sample(connectors, Turn::perSecond);
    findings.add("relayPerSecond", "relay, records a second", "%,.0f", relay, "");
    findings.add(
        "connectorPerSecond", "connector, one task, records a second", "%,.0f", connector, "");
    findings.add("ratio", "ratio", "%.2f", connector.median() / relay.median(), ">= 0.80");
    cpu(findings, "relay", relays);
    cpu(findings, "connector", connectors);
    findings.add(
        "workerMib", "worker's memory at most, MiB", "%.0f", servers.connector().mostMib(), "");
    findings.add("idlePercent", "idle worker, of a core", "%.2f %%", idle, "<= 0.5 %");
    return findings;
  }

  private static void cpu(Findings findings, String who, List<Turn> turns) {
    String each = who + ", microseconds of processor time a record";
    findings.add(who + "Cpu", each, "%.1f", sample(turns, Turn::own), "");
    findings.add(who + "CpuBroker", "  the broker's", "%.1f", sample(turns, Turn::broker), "");
    findings.add(
        who + "CpuDatabase", "  the database's", "%.1f", sample(turns, Turn::database), "");
  }

  private static Sample sample(List<Turn> turns, ToDoubleFunction<Turn> value) {
    return Sample.of(turns.stream().map(value::applyAsDouble).toList());
  }
}
