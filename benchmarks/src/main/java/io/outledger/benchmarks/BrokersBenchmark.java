// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * A relay to each broker beside that broker's bare client, and a receiver with an inbox beside a
 * bare consumer as tutorials have it, turn by turn, on the same machine and with payloads of the
 * same size. The bare client reads no database and has no headers to write. Then how long after its
 * commit a message is acknowledged by the broker, at 50 a second.
 */
final class BrokersBenchmark {

  private static final int MESSAGES = 20_000;
  private static final int ROUNDS = 5;

  private static final Map<String, Supplier<MeasuredBroker>> ALL =
      new TreeMap<>(
          Map.of(
              "amqp", MeasuredAmqp::new,
              "jms", MeasuredJms::new,
              "kafka", MeasuredKafka::new,
              "mqtt", MeasuredMqtt::new,
              "nats", MeasuredNats::new,
              "pulsar", MeasuredPulsar::new,
              "rabbitmq", MeasuredRabbit::new,
              "redis", MeasuredRedis::new,
              "sqs", MeasuredSqs::new));

  private static final Duration COUNTED_MAX = Duration.ofSeconds(10);
  private static final Duration LATENCY = Duration.ofSeconds(20);

  private final int messages;
  private final int rounds;
  private final Duration latency;
  private final Consumer<String> progress;

  BrokersBenchmark(int messages, int rounds, Duration latency, Consumer<String> progress) {
    this.messages = messages;
    this.rounds = rounds;
    this.latency = latency;
    this.progress = progress;
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws SQLException, InterruptedException {
    Map<String, Supplier<MeasuredBroker>> wanted = new TreeMap<>(ALL);
    if (wish.has("brokers")) {
      wanted.keySet().retainAll(wish.names("brokers"));
    }
    return new BrokersBenchmark(wish.messages(MESSAGES), wish.rounds(ROUNDS), LATENCY, progress)
        .run(wanted)
        .report();
  }

  /** Messages a second of each. */
  private record Round(double bare, double relay, double tutorial, double receiver) {}

  Findings run(Map<String, Supplier<MeasuredBroker>> brokers)
      throws SQLException, InterruptedException {
    try (Postgres database = Postgres.start()) {
      WaitingLedger ledger = WaitingLedger.empty(database);
      ledger.fill(messages);
      Findings findings =
          new Findings(
              "%,d messages of %d bytes, %d rounds", messages, WaitingLedger.PAYLOAD_BYTES, rounds);
      for (Map.Entry<String, Supplier<MeasuredBroker>> each : brokers.entrySet()) {
        try (MeasuredBroker broker = each.getValue().get()) {
          add(findings, each.getKey(), broker, ledger);
          Sample millis = latency(each.getKey(), broker, WaitingLedger.empty(database));
          addLatency(findings, each.getKey(), broker.title(), millis);
        }
      }
      return findings;
    }
  }

  private void add(Findings findings, String name, MeasuredBroker broker, WaitingLedger ledger)
      throws SQLException, InterruptedException {
    List<Round> measured = new ArrayList<>();
    for (int number = 0; number <= rounds; number++) {
      Round round = round(name, broker, ledger, number);
      progress.accept(
          String.format(
              Locale.ROOT,
              "%s, %s: bare client %,.0f/s, relay %,.0f/s; tutorial %,.0f/s, receiver %,.0f/s",
              broker.title(),
              number > 0 ? "round " + number : "warm-up",
              round.bare(),
              round.relay(),
              round.tutorial(),
              round.receiver()));
      if (number > 0) {
        measured.add(round);
      }
    }
    Sample bare = sample(measured, Round::bare);
    Sample relay = sample(measured, Round::relay);
    Sample tutorial = sample(measured, Round::tutorial);
    Sample receiver = sample(measured, Round::receiver);
    String title = broker.title();
    findings.add(name + "Bare", title + ": bare client, messages a second", "%,.0f", bare, "");
    findings.add(name + "Relay", title + ": relay, messages a second", "%,.0f", relay, "");
    double sent = relay.median() / bare.median();
    findings.add(name + "Ratio", title + ": relay, of the bare client", "%.2f", sent, ">= 0.7");
    findings.add(
        name + "Tutorial", title + ": bare consumer, SELECT and INSERT", "%,.0f", tutorial, "");
    findings.add(name + "Receiver", title + ": receiver with an inbox", "%,.0f", receiver, "");
    double taken = receiver.median() / tutorial.median();
    findings.add(
        name + "ReceiverRatio", title + ": receiver, of the bare consumer", "%.2f", taken, "> 1");
  }

  private static void addLatency(Findings findings, String name, String title, Sample millis) {
    for (int percent : new int[] {50, 99}) {
      findings.add(
          name + "LatencyP" + percent,
          title + ": commit to the broker's acknowledgement, p" + percent + ", milliseconds",
          "%,.2f",
          millis.percentile(percent),
          "");
    }
  }

  /** Writes to a ledger of its own, for the other one is drained whole in each turn. */
  private Sample latency(String name, MeasuredBroker broker, WaitingLedger ledger)
      throws SQLException, InterruptedException {
    clear(broker);
    return new LatencyRun(ledger, latency).acknowledged(name, broker.publisher());
  }

  private static Sample sample(List<Round> rounds, ToDoubleFunction<Round> value) {
    return Sample.of(rounds.stream().map(value::applyAsDouble).toList());
  }

  /** Takes both turns, and another one first in every second round. */
  private Round round(String name, MeasuredBroker broker, WaitingLedger ledger, int number)
      throws SQLException, InterruptedException {
    ReceiverTurn receivers = new ReceiverTurn(ledger, broker, messages);
    String turn = name + "-" + number;
    if (number % 2 == 0) {
      double relay = relay(turn, broker, ledger);
      double receiver = receivers.receiver(turn);
      double bare = bare(broker);
      return new Round(bare, relay, receivers.tutorial(), receiver);
    }
    double bare = bare(broker);
    double tutorial = receivers.tutorial();
    double relay = relay(turn, broker, ledger);
    return new Round(bare, relay, tutorial, receivers.receiver(turn));
  }

  private double relay(String subscription, MeasuredBroker broker, WaitingLedger ledger)
      throws SQLException, InterruptedException {
    clear(broker);
    double perSecond = new RelayDrain(ledger, subscription, broker.publisher()).run().perSecond();
    check(broker);
    return perSecond;
  }

  private double bare(MeasuredBroker broker) throws InterruptedException {
    clear(broker);
    byte[] payload = new byte[WaitingLedger.PAYLOAD_BYTES];
    new Random(1).nextBytes(payload);
    List<byte[]> payloads = Collections.nCopies(messages, payload);
    long start = System.nanoTime();
    act(
        () -> {
          broker.sendBare(payloads);
          return 0L;
        });
    double perSecond = messages / ((System.nanoTime() - start) / 1e9);
    check(broker);
    return perSecond;
  }

  private static void clear(MeasuredBroker broker) throws InterruptedException {
    act(
        () -> {
          broker.clear();
          return 0L;
        });
  }

  /** Looks more than once: Artemis's browser may end early, and what it shows differs each time. */
  private void check(MeasuredBroker broker) throws InterruptedException {
    long deadline = System.nanoTime() + COUNTED_MAX.toNanos();
    long count = count(broker);
    while (count != messages && System.nanoTime() < deadline) {
      count = count(broker);
    }
    if (count != messages) {
      throw new IllegalStateException(
          "%s: %,d messages came of %,d".formatted(broker.title(), count, messages));
    }
  }

  private long count(MeasuredBroker broker) throws InterruptedException {
    return act(() -> broker.count().orElse(messages));
  }

  /** An act of a client, whatever it throws. */
  interface Act {
    long run() throws Exception;
  }

  static long act(Act act) throws InterruptedException {
    try {
      return act.run();
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
