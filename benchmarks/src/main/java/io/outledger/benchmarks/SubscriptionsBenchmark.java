// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.Postgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** One ledger, and one, a few or many subscriptions that read it at the same time. */
final class SubscriptionsBenchmark {

  private final Plan plan;
  private final Consumer<String> progress;
  private final Map<Integer, List<Followers.Followed>> measured = new TreeMap<>();

  SubscriptionsBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param messages in the ledger, each of which every subscription reads
   * @param rounds how often each number of subscriptions takes its turn
   * @param counts the numbers of subscriptions
   */
  record Plan(int messages, int rounds, List<Integer> counts) {

    private static final int MESSAGES = 300_000;
    private static final int ROUNDS = 3;

    static Plan of(Wish wish) {
      return new Plan(wish.messages(MESSAGES), wish.rounds(ROUNDS), List.of(1, 4, 20));
    }
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress) throws SQLException {
    return new SubscriptionsBenchmark(Plan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException {
    try (Postgres server = Postgres.start()) {
      WaitingLedger ledger = WaitingLedger.empty(server);
      ledger.fill(plan.messages());
      for (int round = 0; round <= plan.rounds(); round++) { // the first is not counted
        for (int count : plan.counts()) {
          String prefix = "round-%d-%d-".formatted(round, count);
          Followers.Followed one = new Followers(ledger, prefix, count).follow(plan.messages());
          if (round > 0) {
            measured.computeIfAbsent(count, absent -> new ArrayList<>()).add(one);
            say(round, count, one);
          }
        }
      }
      return findings(ledger);
    }
  }

  private void say(int round, int count, Followers.Followed one) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "round %d, %d subscriptions: %,.0f messages a second together, %,.0f each",
            round,
            count,
            one.perSecond(),
            one.each().median()));
  }

  private Findings findings(WaitingLedger ledger) throws SQLException {
    Findings findings =
        new Findings(
            "%,d messages for each subscription, %d rounds, PostgreSQL %s",
            plan.messages(), plan.rounds(), ledger.text("SHOW server_version"));
    for (int count : plan.counts()) {
      String name = "of" + count;
      String who = count + (count == 1 ? " subscription" : " subscriptions");
      add(findings, name, who + ": messages a second", count, Followers.Followed::perSecond);
      add(findings, name + "Each", "  each (median)", count, one -> one.each().median());
      add(findings, name + "Slowest", "  the slowest", count, one -> one.each().min());
      add(findings, name + "Saves", "  saves", count, Followers.Followed::saves);
      add(findings, name + "Polls", "  polls", count, Followers.Followed::polls);
      add(findings, name + "Connections", "  connections", count, Followers.Followed::connections);
    }
    return findings;
  }

  private void add(
      Findings findings,
      String name,
      String what,
      int count,
      ToDoubleFunction<Followers.Followed> value) {
    List<Followers.Followed> turns = measured.getOrDefault(count, List.of());
    Sample sample = Sample.of(turns.stream().map(value::applyAsDouble).toList());
    findings.add(name, what, "%,.0f", sample, "");
  }
}
