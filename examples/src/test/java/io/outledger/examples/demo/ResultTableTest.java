// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.chaos.checker.Finding;
import io.outledger.chaos.checker.Report;
import io.outledger.chaos.checker.Verdict;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResultTableTest {

  private static Result result(int kills, Verdict... wrong) {
    Report.Counts counts = new Report.Counts(1, 0, 1, 0, 4, 1, 0, 1);
    List<Finding> findings =
        Arrays.stream(wrong).map(verdict -> new Finding(verdict, "all", "seen")).toList();
    Report report = new Report(findings, counts);
    return new Result(
        new DemoOptions("postgresql", "kafka", 1, kills, 1, false, false, null),
        new Result.Asked(1, 1),
        Collections.nCopies(kills, new Kill("broker", 1, 1, 1)),
        1_000,
        new Result.Reports(report, report, report, new Result.Units(1, 1)));
  }

  private static String text(int kills, Verdict... wrong) {
    return String.join("\n", new ResultTable(result(kills, wrong)).lines());
  }

  @Test
  void oneOfAKindIsNoPlural() {
    assertThat(text(1))
        .contains("  1 process killed with work in flight.")
        .contains("  1 order of 1 answered; a customer had to ask again 1 time.")
        .contains("  1 order made, and 0 refused")
        .contains("  1 unit ordered, and 1 reserved.")
        .contains("Every promise held");
    assertThat(text(2)).contains("  2 processes killed with work in flight.");
  }

  @Test
  void moreRepetitionsThanWereSeenInFlightAreNoLoss() {
    assertThat(result(1, Verdict.DUPLICATE).held()).isFalse();
    assertThat(result(1, Verdict.DUPLICATE).json()).contains("\"verdict\" : \"repeated\"");
    assertThat(text(1, Verdict.DUPLICATE))
        .contains("  REPEATED  DUPLICATE all: seen")
        .contains("NOT ACCOUNTED FOR: nothing was lost, invented or out of order")
        .doesNotContain("BROKEN");
  }

  @ParameterizedTest
  @EnumSource(value = Verdict.class, mode = EnumSource.Mode.EXCLUDE, names = "DUPLICATE")
  void anythingElseIsABrokenPromiseEvenWhereMessagesWereRepeated(Verdict verdict) {
    assertThat(result(1, verdict, Verdict.DUPLICATE).json()).contains("\"verdict\" : \"failed\"");
    assertThat(text(1, verdict, Verdict.DUPLICATE))
        .contains("  BROKEN  " + verdict + " all: seen")
        .contains("A PROMISE WAS BROKEN");
  }
}
