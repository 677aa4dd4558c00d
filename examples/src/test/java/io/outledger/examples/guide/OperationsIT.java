// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The questions of docs/operations.md can be asked. */
class OperationsIT {

  @Test
  void everyQuestionIsAnsweredOnAnEmptyLedger() throws Exception {
    String block = DocumentedSql.of("operations.md").block("Questions");
    List<String> questions =
        block
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("--"))
            .map(line -> line.substring(0, line.indexOf(';')))
            .map(question -> question.replace("'…'", "gen_random_uuid()"))
            .toList();

    try (MovingDatabase database = new MovingDatabase("guide.sql")) {
      assertThat(questions).hasSizeGreaterThan(5);
      for (String question : questions) {
        boolean alwaysTells = question.contains("outledger_lag"); // that nobody reads the ledger
        assertThat(database.column(question)).as(question).hasSize(alwaysTells ? 1 : 0);
      }
    }
  }
}
