// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** How fast an inbox is, beside what tutorials show; of new messages, and of known ones. */
final class InboxBenchmark {

  private final Plan plan;
  private final Consumer<String> progress;
  private final Map<InboxWay, List<Turn>> turns = new EnumMap<>(InboxWay.class);

  InboxBenchmark(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * What is measured.
   *
   * @param messages of a turn that takes one a transaction; ten times as many go in batches
   * @param rounds how often each way takes its turn
   */
  record Plan(int messages, int rounds) {

    private static final int MESSAGES = 3_000;
    private static final int ROUNDS = 5;
    private static final int BATCHED_FOR_EACH = 10;

    static Plan of(Wish wish) {
      return new Plan(wish.messages(MESSAGES), wish.rounds(ROUNDS));
    }

    int messages(InboxWay way) {
      return way.batch() == 1 ? messages : BATCHED_FOR_EACH * messages;
    }
  }

  /** Messages a second: when they are new, and when all of them come again. */
  private record Turn(double fresh, double again) {}

  static Benchmark.Report run(Wish wish, Consumer<String> progress) throws SQLException {
    return new InboxBenchmark(Plan.of(wish), progress).run().report();
  }

  Findings run() throws SQLException {
    try (Postgres server = Postgres.start()) {
      WaitingLedger ledger = WaitingLedger.empty(server);
      List<InboxWay> order = new ArrayList<>(List.of(InboxWay.values()));
      for (int round = 0; round <= plan.rounds(); round++) { // the first is not counted
        for (InboxWay way : order) {
          Turn turn = turn(ledger, way);
          if (round > 0) {
            turns.computeIfAbsent(way, absent -> new ArrayList<>()).add(turn);
            say(round, way, turn);
          }
        }
        Collections.rotate(order, 1);
      }
      return findings(ledger);
    }
  }

  private Turn turn(WaitingLedger ledger, InboxWay way) throws SQLException {
    List<Received> messages =
        Stream.generate(() -> Message.to("orders", "order.placed").build())
            .limit(plan.messages(way))
            .map(message -> Received.of("/orders", message))
            .toList();
    try (Outledger outledger = Outledger.builder(ledger.dataSource()).build();
        Connection connection = ledger.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(InboxWay.TABLE.replace("TABLE", "TABLE IF NOT EXISTS"));
      connection.setAutoCommit(false);
      JdbcInbox inbox = outledger.inbox("inventory");
      double fresh = perSecond(way, inbox, connection, messages, messages.size());
      return new Turn(fresh, perSecond(way, inbox, connection, messages, 0));
    }
  }

  private static double perSecond(
      InboxWay way, JdbcInbox inbox, Connection connection, List<Received> messages, int expected)
      throws SQLException {
    long start = System.nanoTime();
    int fresh = 0;
    for (int from = 0; from < messages.size(); from += way.batch()) {
      int to = Math.min(messages.size(), from + way.batch());
      fresh += way.process(inbox, connection, messages.subList(from, to));
      connection.commit();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (fresh != expected) {
      throw new IllegalStateException(fresh + " messages were new, and not " + expected);
    }
    return messages.size() / seconds;
  }

  private void say(int round, InboxWay way, Turn turn) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "round %d, %s: %,.0f/s new, %,.0f/s known",
            round,
            way.label(),
            turn.fresh(),
            turn.again()));
  }

  private Findings findings(WaitingLedger ledger) throws SQLException {
    Findings findings =
        new Findings(
            "%,d messages a turn (%,d in batches), %d rounds, PostgreSQL %s",
            plan.messages(InboxWay.ONE_BY_ONE),
            plan.messages(InboxWay.BATCHED),
            plan.rounds(),
            ledger.text("SHOW server_version"));
    for (InboxWay way : InboxWay.values()) {
      String name = way.name().toLowerCase(Locale.ROOT);
      findings.add(name, way.label() + ", new, a second", "%,.0f", sample(way, Turn::fresh), "");
      findings.add(
          name + "Again", way.label() + ", known, a second", "%,.0f", sample(way, Turn::again), "");
    }
    double ratio = median(InboxWay.ONE_BY_ONE) / median(InboxWay.TUTORIAL);
    findings.add("ratio", "inbox one by one, of SELECT and INSERT", "%.2f", ratio, "");
    bytes(ledger, findings, InboxWay.TUTORIAL);
    bytes(ledger, findings, InboxWay.BATCHED);
    return findings;
  }

  private static void bytes(WaitingLedger ledger, Findings findings, InboxWay way)
      throws SQLException {
    double rows = ledger.number("SELECT count(*) FROM " + way.table());
    findings.add(
        "bytes_" + way.table(),
        "bytes a record of " + way.table() + ", index included",
        "%.0f",
        ledger.bytes(way.table()) / rows,
        "");
  }

  private double median(InboxWay way) {
    return sample(way, Turn::fresh).median();
  }

  private Sample sample(InboxWay way, ToDoubleFunction<Turn> value) {
    return Sample.of(
        turns.getOrDefault(way, List.of()).stream().map(value::applyAsDouble).toList());
  }
}
