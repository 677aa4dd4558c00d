// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import io.outledger.frontier.Positions;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A checker that finds nothing wrong with everything would pass every other test of ours. */
class PlantedAnomaliesTest {

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("anomalies")
  void plantedAnomalyIsFoundAndNothingElse(
      String name, Verdict verdict, UnaryOperator<CleanHistory> plant) {
    Report report = plant.apply(new CleanHistory()).check();

    assertThat(report.findings()).as(name).extracting(Finding::verdict).containsExactly(verdict);
    assertThat(report.passed()).isEqualTo(verdict == Verdict.BROKER_LOST);
  }

  static Stream<Arguments> anomalies() {
    return Stream.of(
        anomaly(
            "committed message that never arrived",
            Verdict.LOST,
            h -> h.unseen(CleanHistory.THIRD).without(isAcknowledged(CleanHistory.THIRD))),
        anomaly(
            "unknown commit that is in the ledger and never arrived",
            Verdict.LOST,
            h ->
                h.unseen(CleanHistory.UNKNOWN_COMMITTED)
                    .without(isAcknowledged(CleanHistory.UNKNOWN_COMMITTED))),
        anomaly(
            "message of a rolled-back transaction",
            Verdict.GHOST,
            h -> h.seen(CleanHistory.ROLLED_BACK, 20)),
        anomaly("message that nobody wrote", Verdict.GHOST, h -> h.seen(CleanHistory.id(99), 20)),
        anomaly(
            "later message of a key first",
            Verdict.REORDERED,
            h ->
                h.add(new Entry.Wrote("a", 4, CleanHistory.id(11), CommitOutcome.COMMITTED))
                    .add(new Entry.Wrote("a", 5, CleanHistory.id(12), CommitOutcome.COMMITTED))
                    .seen(CleanHistory.id(12), 20)
                    .seen(CleanHistory.id(11), 21)),
        anomaly(
            "more duplicates than were in flight",
            Verdict.DUPLICATE,
            h -> h.add(new Entry.Arrived("orders-0", 20, CleanHistory.THIRD))),
        anomaly(
            "row changed by an old owner",
            Verdict.STALE,
            h -> h.add(new Entry.Changed("cursor", 4, "early owner"))),
        anomaly(
            "second effect",
            Verdict.EFFECT,
            h -> h.add(new Entry.Effect("stock", CleanHistory.FIRST))),
        anomaly(
            "missing effect",
            Verdict.EFFECT,
            h -> h.without(new Entry.Effect("stock", CleanHistory.FIRST)::equals)),
        anomaly(
            "message that still waits",
            Verdict.STUCK,
            h ->
                h.add(new Entry.Wrote("d", 1, CleanHistory.id(11), CommitOutcome.COMMITTED))
                    .add(new Entry.Stored(CleanHistory.id(11), 99))),
        anomaly("connection left open", Verdict.LEAK, h -> h.add(new Entry.Left("pool", 2, 1))),
        anomaly(
            "metric that is not the truth",
            Verdict.METRIC_LIE,
            h -> h.add(new Entry.Figure("parked", 0, 1))));
  }

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("finerPoints")
  void finerPointsAreFoundToo(String name, Verdict verdict, UnaryOperator<CleanHistory> plant) {
    plantedAnomalyIsFoundAndNothingElse(name, verdict, plant);
  }

  static Stream<Arguments> finerPoints() {
    return Stream.of(
        anomaly(
            "acknowledged message that never arrived",
            Verdict.BROKER_LOST,
            h -> h.unseen(CleanHistory.THIRD)),
        anomaly(
            "unknown commit that is not in the ledger and arrived",
            Verdict.GHOST,
            h -> h.seen(CleanHistory.UNKNOWN_ROLLED_BACK, 20)),
        anomaly(
            "parked message of a rolled-back transaction",
            Verdict.GHOST,
            h -> h.add(new Entry.Parked(CleanHistory.ROLLED_BACK, true, false))),
        anomaly(
            "overtaken by one that was not in flight",
            Verdict.REORDERED,
            h -> h.without(e -> e instanceof Entry.Overtaken)),
        anomaly(
            "one message more often than there were crashes",
            Verdict.DUPLICATE,
            h ->
                h.without(e -> e instanceof Entry.Crashed)
                    .add(new Entry.Crashed("relay", 9))
                    .add(new Entry.Arrived("orders-0", 20, CleanHistory.FIRST))),
        anomaly(
            "repeated message of which nobody has said that it may",
            Verdict.DUPLICATE,
            h ->
                h.without(e -> e instanceof Entry.Arrived a && a.offset() == 3)
                    .add(new Entry.MayRepeat(CleanHistory.SECOND))),
        anomaly(
            "duplicate after a graceful stop",
            Verdict.DUPLICATE,
            h ->
                h.add(new Entry.Crashed("relay", 0))
                    .add(new Entry.Arrived("orders-0", 20, CleanHistory.THIRD))),
        anomaly(
            "message that is parked though nothing holds it",
            Verdict.STUCK,
            h ->
                h.add(new Entry.Wrote("d", 1, CleanHistory.id(11), CommitOutcome.COMMITTED))
                    .add(new Entry.Parked(CleanHistory.id(11), false, true))),
        anomaly(
            "hole that never dies",
            Verdict.STUCK,
            h -> h.add(new Entry.Cursor(20, Positions.of(15)))),
        anomaly(
            "effect of a message that never arrived",
            Verdict.EFFECT,
            h -> h.add(new Entry.Effect("stock", CleanHistory.DEAD))));
  }

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("wrongAudits")
  void wrongAuditIsFound(String name, Verdict verdict, UnaryOperator<CleanHistory> plant) {
    plantedAnomalyIsFoundAndNothingElse(name, verdict, plant);
  }

  static Stream<Arguments> wrongAudits() {
    return Stream.of(
        anomaly(
            "request without a row in the audit",
            Verdict.AUDIT,
            h -> h.add(new Entry.Asked(CleanHistory.id(22)))),
        anomaly(
            "request with two rows in the audit",
            Verdict.AUDIT,
            h -> h.add(new Entry.Audited(CleanHistory.REQUEST, true))),
        anomaly(
            "request that came to no end",
            Verdict.AUDIT,
            h ->
                h.add(new Entry.Asked(CleanHistory.id(22)))
                    .add(new Entry.Audited(CleanHistory.id(22), false))),
        anomaly(
            "row in the audit that nobody asked for",
            Verdict.AUDIT,
            h -> h.add(new Entry.Audited(CleanHistory.id(22), true))));
  }

  @Test
  void cleanHistoryPasses() {
    Report report = new CleanHistory().check();

    assertThat(report.findings()).isEmpty();
    assertThat(report.passed()).isTrue();
    assertThat(report.counts()).isEqualTo(new Report.Counts(8, 2, 7, 1, 2, 2, 1, 7));
  }

  private static Arguments anomaly(
      String name, Verdict verdict, UnaryOperator<CleanHistory> plant) {
    return arguments(name, verdict, plant);
  }

  private static java.util.function.Predicate<Entry> isAcknowledged(UUID id) {
    return new Entry.Acknowledged(id)::equals;
  }
}
