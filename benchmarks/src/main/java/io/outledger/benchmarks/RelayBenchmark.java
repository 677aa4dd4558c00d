// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.Postgres;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** The relay's benchmark, from an empty server to its figures. */
final class RelayBenchmark {

  private final RelayPlan plan;
  private final Consumer<String> progress;

  /**
   * Makes it.
   *
   * @param progress is told what is being done, a line at a time
   */
  RelayBenchmark(RelayPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  Figures run() throws SQLException, IOException, InterruptedException {
    try (Postgres server = Postgres.start()) {
      WaitingLedger ledger = WaitingLedger.empty(server);
      say("%,d messages of %d bytes are inserted", plan.messages(), WaitingLedger.PAYLOAD_BYTES);
      ledger.fill(plan.messages());
      double bytesPerMessage = (double) ledger.bytes("outledger_message") / plan.messages();
      // First, since the log is the whole server's: nothing else may have work to be tidied up.
      List<Figures.Round> rounds = rounds(ledger);
      Figures.Server state = state(ledger);
      return new Figures(plan, rounds, state, latency(server), cost(server, bytesPerMessage));
    }
  }

  private Figures.Cost cost(Postgres server, double bytesPerMessage)
      throws SQLException, IOException {
    say("round trips of an append, and the size of inbox records");
    WaitingLedger ledger = WaitingLedger.empty(server);
    Map<Integer, Integer> trips = new AppendCost(ledger, server.port()).roundTrips();
    double bytesPerInboxRecord = new InboxCost(ledger).bytesPerRecord(plan.inboxRecords());
    return new Figures.Cost(trips, bytesPerMessage, bytesPerInboxRecord);
  }

  private Figures.Latency latency(Postgres server) throws SQLException, InterruptedException {
    LatencyRun latency = new LatencyRun(WaitingLedger.empty(server), plan.latency());
    say(
        "latency at %d messages a second, %d s for each writer",
        SteadyWriter.PER_SECOND, plan.latency().toSeconds());
    return new Figures.Latency(latency.sameJvm(), latency.otherProcess());
  }

  /** The first turn of each side is not counted: it is when the JVM compiles. */
  private List<Figures.Round> rounds(WaitingLedger ledger)
      throws SQLException, InterruptedException {
    List<Figures.Round> rounds = new ArrayList<>();
    for (int i = 0; i <= plan.rounds(); i++) {
      Figures.Round round = round(ledger, i);
      say(
          "%s: bare read %,.0f/s, relay %,.0f/s, ratio %.2f",
          i == 0 ? "warm-up" : "round " + i,
          round.rawPerSecond(),
          round.relayPerSecond(),
          round.ratio());
      if (i > 0) {
        rounds.add(round);
      }
    }
    return rounds;
  }

  /**
   * Who goes first changes from round to round, so that neither always finds the other's caches.
   */
  private static Figures.Round round(WaitingLedger ledger, int number)
      throws SQLException, InterruptedException {
    BareRead bareRead = new BareRead(ledger);
    double raw = number % 2 == 0 ? bareRead.run() : 0;
    RelayDrain.Drained drained =
        new RelayDrain(ledger, "drain-" + number, AnswersAtOnce.PUBLISHED).run();
    if (number % 2 != 0) {
      raw = bareRead.run();
    }
    return new Figures.Round(
        raw, drained.perSecond(), drained.heapMib(), drained.walBytes(), drained.saves());
  }

  private static Figures.Server state(WaitingLedger ledger) throws SQLException {
    return new Figures.Server(
        ledger.text("SHOW server_version"),
        ledger.text("SHOW fsync"),
        ledger.deadTuples("outledger_message"),
        ledger.deadTuples("outledger_cursor"));
  }

  private void say(String format, Object... values) {
    progress.accept(String.format(Locale.ROOT, format, values));
  }
}
