// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.kafka.KafkaPublisher;
import io.outledger.servers.CpuTime;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A relay to Kafka beside a bare producer that sends the same records, turn by turn. */
final class KafkaBenchmark {

  private static final int SERVERS_CORE = 0;
  private static final int OWN_CORE = 1;

  private final KafkaPlan plan;
  private final Consumer<String> progress;
  private final List<Round> rounds = new ArrayList<>();

  KafkaBenchmark(KafkaPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws SQLException, InterruptedException {
    return new KafkaBenchmark(KafkaPlan.of(wish), progress).run().report();
  }

  /**
   * One turn of one side.
   *
   * @param perSecond records a second
   * @param saves of the cursor
   * @param cpu microseconds of processor time a record, of this JVM and of both servers
   */
  private record Turn(double perSecond, long saves, Cpu cpu) {}

  private record Round(Turn bare, Turn relay) {

    double ratio() {
      return relay.perSecond() / bare.perSecond();
    }
  }

  private record Cpu(double own, double broker, double database) {

    Cpu since(Cpu before, int messages) {
      double each = 1e6 / messages;
      return new Cpu(
          (own - before.own) * each,
          (broker - before.broker) * each,
          (database - before.database) * each);
    }
  }

  Findings run() throws SQLException, InterruptedException {
    try (Postgres database = Postgres.start();
        KafkaProcess broker = KafkaProcess.builder().longLived().startProcess()) {
      if (plan.isApart()) {
        Cores.bind(database.pid(), SERVERS_CORE);
        Cores.bind(broker.pid(), SERVERS_CORE);
        Cores.bind(ProcessHandle.current().pid(), OWN_CORE);
      }
      WaitingLedger ledger = WaitingLedger.empty(database);
      ledger.fill(plan.messages());
      Servers servers = new Servers(database, broker, ledger);
      List<ProducerRecord<byte[], byte[]>> records = sample(servers);
      for (int round = 1 - plan.warmUps(); round <= plan.rounds(); round++) {
        Round measured = round(servers, records, round);
        say(round, measured);
        if (round > 0) {
          rounds.add(measured);
        }
      }
      return findings(ledger);
    }
  }

  private record Servers(Postgres database, KafkaProcess broker, WaitingLedger ledger) {

    Cpu cpu() {
      return new Cpu(
          CpuTime.ownSeconds(), CpuTime.seconds(broker.pid()), CpuTime.seconds(database.pid()));
    }
  }

  /** What the relay sends is what the bare producer will. */
  private List<ProducerRecord<byte[], byte[]>> sample(Servers servers)
      throws SQLException, InterruptedException {
    try (TopicOfRecords first = TopicOfRecords.create(servers.broker(), "sample")) {
      drain(servers, "sample", first);
      return first.sample(plan.sampled());
    }
  }

  private Round round(Servers servers, List<ProducerRecord<byte[], byte[]>> records, int number)
      throws SQLException, InterruptedException {
    if (number % 2 == 0) {
      Turn relay = relay(servers, number);
      return new Round(producer(servers, records), relay);
    }
    return new Round(producer(servers, records), relay(servers, number));
  }

  private Turn relay(Servers servers, int round) throws SQLException, InterruptedException {
    try (TopicOfRecords topic = TopicOfRecords.create(servers.broker(), "relay")) {
      Cpu before = servers.cpu();
      RelayDrain.Drained drained = drain(servers, "round-" + round, topic);
      Cpu cpu = servers.cpu().since(before, plan.messages());
      return checked(topic, new Turn(drained.perSecond(), drained.saves(), cpu));
    }
  }

  private static RelayDrain.Drained drain(
      Servers servers, String subscription, TopicOfRecords topic)
      throws SQLException, InterruptedException {
    KafkaPublisher publisher =
        KafkaPublisher.with(topic.settings(Map.of())).topics(given -> topic.name());
    return new RelayDrain(servers.ledger(), subscription, publisher).run();
  }

  private Turn producer(Servers servers, List<ProducerRecord<byte[], byte[]>> records)
      throws InterruptedException {
    try (TopicOfRecords topic = TopicOfRecords.create(servers.broker(), TopicOfRecords.BARE)) {
      Cpu before = servers.cpu();
      double perSecond = new BareProducer(topic.settings(Map.of()), records).run(plan.messages());
      return checked(topic, new Turn(perSecond, 0, servers.cpu().since(before, plan.messages())));
    }
  }

  private Turn checked(TopicOfRecords topic, Turn turn) throws InterruptedException {
    long count = topic.count();
    if (count != plan.messages()) {
      throw new IllegalStateException(count + " records came of " + plan.messages());
    }
    return turn;
  }

  private void say(int number, Round round) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "%s: bare producer %,.0f/s, relay %,.0f/s, ratio %.2f",
            number > 0 ? "round " + number : "warm-up",
            round.bare().perSecond(),
            round.relay().perSecond(),
            round.ratio()));
  }

  private Findings findings(WaitingLedger ledger) throws SQLException {
    Findings findings =
        new Findings(
            "%,d messages, %d rounds, PostgreSQL %s, Kafka, acks=all%s",
            plan.messages(),
            plan.rounds(),
            ledger.text("SHOW server_version"),
            plan.isApart() ? "; the servers on one core, relay and producer on another" : "");
    Sample bare = sample(round -> round.bare().perSecond());
    Sample relay = sample(round -> round.relay().perSecond());
    findings.add("barePerSecond", "bare producer, records a second", "%,.0f", bare, "");
    findings.add("relayPerSecond", "relay, records a second", "%,.0f", relay, "");
    findings.add("ratio", "ratio", "%.2f", relay.median() / bare.median(), ">= 0.85");
    findings.add("ratios", "ratio of single rounds", "%.2f", sample(Round::ratio), "");
    findings.add("saves", "saves a turn", "%.0f", sample(round -> round.relay().saves()), "");
    cpu(findings, "bareCpuMicros", "bare producer", round -> round.bare().cpu());
    cpu(findings, "relayCpuMicros", "relay", round -> round.relay().cpu());
    return findings;
  }

  private void cpu(Findings findings, String name, String who, Function<Round, Cpu> cpu) {
    String each = ", microseconds of processor time a record";
    Sample own = sample(round -> cpu.apply(round).own());
    Sample broker = sample(round -> cpu.apply(round).broker());
    Sample database = sample(round -> cpu.apply(round).database());
    findings.add(name, who + each, "%.1f", own, "");
    findings.add(name + "Broker", "  the broker's", "%.1f", broker, "");
    findings.add(name + "Database", "  the database's", "%.1f", database, "");
  }

  private Sample sample(ToDoubleFunction<Round> value) {
    return Sample.of(rounds.stream().map(value::applyAsDouble).toList());
  }
}
