// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.context.Wakeup;
import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Handlers in the application that take 20 ms each: how near the relay keeps all threads busy. */
final class HandlersBenchmark {

  private static final Duration EACH = Duration.ofMillis(20);
  private static final int MESSAGES = 40_000;

  private final Plan plan;
  private final Consumer<String> progress;

  HandlersBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param messages in the ledger; more than are handled in a turn
   * @param rounds how often each is measured
   * @param turn how long it is measured
   * @param threads how many threads handlers have
   */
  record Plan(int messages, int rounds, Duration turn, List<Integer> threads) {

    private static final int ROUNDS = 3;

    static Plan of(Wish wish) {
      return new Plan(
          wish.messages(MESSAGES), wish.rounds(ROUNDS), Duration.ofSeconds(5), List.of(4, 16, 64));
    }
  }

  /** Whether the handler's work is in a transaction with its inbox row. */
  private enum Kind {
    PLAIN("plain") {
      @Override
      RelayBuilder add(RelayBuilder relay, SlowHandler slow) {
        return relay.handlerWithoutTransaction("slow", message -> slow.handle(message));
      }
    },
    TRANSACTIONAL("with its inbox row") {
      @Override
      RelayBuilder add(RelayBuilder relay, SlowHandler slow) {
        return relay.handler("slow", (connection, message) -> slow.handle(message));
      }
    };

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    abstract RelayBuilder add(RelayBuilder relay, SlowHandler slow);
  }

  private record Way(Kind kind, int threads) {

    /** What this number of threads could do with no pause between two messages. */
    double possible() {
      return threads * 1e9 / EACH.toNanos();
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress)
      throws SQLException, InterruptedException {
    return new HandlersBenchmark(Plan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException, InterruptedException {
    Map<Way, List<Double>> rates = new LinkedHashMap<>();
    try (Postgres server = Postgres.start()) {
      WaitingLedger ledger = WaitingLedger.empty(server);
      ledger.fill(plan.messages());
      for (int round = 1; round <= plan.rounds(); round++) {
        for (Kind kind : Kind.values()) {
          for (int threads : plan.threads()) {
            Way way = new Way(kind, threads);
            double rate = turn(ledger, way, round);
            rates.computeIfAbsent(way, absent -> new ArrayList<>()).add(rate);
            say(round, way, rate);
          }
        }
      }
      return findings(ledger, rates);
    }
  }

  private double turn(WaitingLedger ledger, Way way, int round)
      throws SQLException, InterruptedException {
    SlowHandler slow = new SlowHandler(EACH);
    String name = "%s-%d-%d".formatted(way.kind(), way.threads(), round);
    try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
        Outledger outledger =
            Outledger.builder(pool).relayDataSource(ledger.dataSource()).build()) {
      RelayBuilder relay = outledger.relay(name).handlerThreads(way.threads());
      try (RunningRelay running = way.kind().add(relay, slow).start()) {
        new Wakeup().await(plan.turn().dividedBy(5)); // until all threads are at it
        long before = slow.handled();
        long start = System.nanoTime();
        new Wakeup().await(plan.turn());
        double rate = (slow.handled() - before) * 1e9 / (System.nanoTime() - start);
        slow.hurry();
        if (slow.most() > way.threads()) {
          throw new IllegalStateException(slow.most() + " at a time, on " + running.state());
        }
        return rate;
      }
    }
  }

  private void say(int round, Way way, double rate) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "round %d, %d threads, %s: %,.0f messages a second of %,.0f",
            round,
            way.threads(),
            way.kind().label,
            rate,
            way.possible()));
  }

  private Findings findings(WaitingLedger ledger, Map<Way, List<Double>> rates)
      throws SQLException {
    Findings findings =
        new Findings(
            "handlers of %d ms, %,d keys, %d rounds, PostgreSQL %s",
            EACH.toMillis(), WaitingLedger.KEYS, plan.rounds(), ledger.text("SHOW server_version"));
    rates.forEach(
        (way, all) -> {
          String name = way.kind().name().toLowerCase(Locale.ROOT) + way.threads();
          String what = way.threads() + " threads, " + way.kind().label;
          Sample rate = Sample.of(all);
          findings.add(name, what + ", messages a second", "%,.0f", rate, "");
          findings.add(
              name + "OfPossible",
              "  of " + Math.round(way.possible()) + " that are possible",
              "%.2f",
              rate.median() / way.possible(),
              "");
        });
    return findings;
  }
}
