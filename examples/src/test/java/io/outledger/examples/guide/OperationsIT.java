// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The questions of docs/operations.md can be asked. */
class OperationsIT {

  private static final Pattern TITLE = Pattern.compile("^-- (\\d+ .*)$", Pattern.MULTILINE);
  private static final Pattern CALL =
      Pattern.compile("^\\| (\\d+) \\| ([^|]*\\?) \\| `[^|]*\\|[^|]*\\|$", Pattern.MULTILINE);

  private final DocumentedSql page = DocumentedSql.of("operations.md");
  private final String block = page.block("Questions");

  @Test
  void everyQuestionIsAnsweredOnAnEmptyLedger() throws Exception {
    try (MovingDatabase database = new MovingDatabase("guide.sql")) {
      assertThat(statements()).hasSizeGreaterThan(5);
      for (String question : statements()) {
        // That nobody reads the ledger; and how far retention has gone.
        boolean alwaysTells = question.matches(".*outledger_(lag|retention).*");
        assertThat(database.column(question)).as(question).hasSize(alwaysTells ? 1 : 0);
      }
    }
  }

  @Test
  void everyQuestionHasACallAndAStatementUnderOneNumber() {
    List<String> calls =
        CALL.matcher(page.text())
            .results()
            .map(row -> row.group(1) + " " + row.group(2).replaceAll("\\[(.*?)]\\(.*?\\)", "$1"))
            .toList();

    assertThat(calls).hasSizeGreaterThan(5);
    assertThat(TITLE.matcher(block).results().map(title -> title.group(1)))
        .usingElementComparator(String::compareToIgnoreCase)
        .containsExactlyElementsOf(calls);
  }

  @Test
  void firstQuestionTellsByWhenAMessageWasPublished() throws Exception {
    String answer = "SELECT answer FROM (" + statements().get(0) + ") AS asked";
    try (MovingDatabase database = new MovingDatabase("guide.sql")) {
      database.outledger().outbox().inNewTransaction(Message.to("orders", "order.placed"));
      database.published();

      assertThat(database.column(answer.replace("42", "1")))
          .singleElement()
          .asString()
          .startsWith("published by ");
    }
  }

  private List<String> statements() {
    return block
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("--"))
        .map(line -> line.substring(0, line.indexOf(';')))
        .map(question -> question.replace("'…'", "gen_random_uuid()"))
        .toList();
  }
}
