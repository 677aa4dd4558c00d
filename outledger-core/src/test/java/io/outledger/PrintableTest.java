// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PrintableTest {

  private static final String FORGED = "1\r\n2030-01-01 ERROR forged\u001b[2J\u0085\u2028\u202e\0";
  private static final String SAFE =
      "1\\r\\n2030-01-01 ERROR forged\\u001b[2J\\u0085\\u2028\\u202e\\u0000";

  @Test
  void whatEndsALineOrHidesIsEscaped() {
    assertThat(Printable.value(FORGED)).isEqualTo(SAFE);
    assertThat(Printable.value("\t\u200b\u2029\u2066\ufeff\u009b"))
        .isEqualTo("\\t\\u200b\\u2029\\u2066\\ufeff\\u009b");
    assertThat(Printable.value("a\ud800b")).isEqualTo("a\\ud800b");
    assertThat(Printable.value("\udb40\udc01")).isEqualTo("\\udb40\\udc01");
  }

  @Test
  void lengthOfTimeIsInItsLargestWholeUnit() {
    assertThat(
            Stream.of("PT168H", "PT24H", "PT36H", "PT90M", "PT1M", "PT90S", "PT0S", "PT0.25S")
                .map(Duration::parse)
                .map(Printable::span))
        .containsExactly(
            "7 days", "1 day", "36 hours", "90 minutes", "1 minute", "90 s", "0 s", "250 ms");
    assertThat(Printable.span(Duration.ofSeconds(Long.MAX_VALUE))).endsWith(" s");
    assertThat(Printable.span(Duration.ofNanos(1))).isEqualTo("PT0.000000001S");
    assertThat(Printable.span(null)).isEqualTo("null");
  }

  @Test
  void lengthOfTimeForPeopleIsRounded() {
    assertThat(
            Stream.of("PT0.0004S", "PT0.8000001S", "PT0.9996S", "PT1.49S", "PT59.6S", "PT90.1S")
                .map(Duration::parse)
                .map(Printable::about))
        .containsExactly("0 s", "800 ms", "1 s", "1 s", "1 minute", "90 s");
    assertThat(Printable.about(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))).endsWith(" s");
    assertThat(Printable.about(null)).isEqualTo("null");
  }

  @Test
  void countAgreesWithItsNoun() {
    assertThat(Printable.count(0, "attempt")).isEqualTo("0 attempts");
    assertThat(Printable.count(1, "attempt")).isEqualTo("1 attempt");
    assertThat(Printable.count(2, "attempt")).isEqualTo("2 attempts");
  }

  @Test
  void ordinaryTextOfAnyLanguageStays() {
    String text = "order-1 C:\\new Straße 注文 الطلب \ud83d\ude00";
    assertThat(Printable.value(text)).isSameAs(text);
    assertThat(Printable.value(null)).isEqualTo("null");
  }

  @Test
  void noCharacterGivesASecondLineOrChangesAgain() {
    assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT).filter(c -> !isStable(c)))
        .isEmpty();
  }

  private static boolean isStable(int codePoint) {
    String once = Printable.value(Character.toString(codePoint));
    boolean oneLine = once.lines().count() == 1 && once.chars().noneMatch(Character::isISOControl);
    return oneLine && Printable.value(once).equals(once);
  }

  @Test
  void lengthIsBoundedAfterEscaping() {
    String newlines = Printable.value("\u0001".repeat(1_000_000));
    assertThat(newlines).hasSize(Printable.VALUE_CHARS_MAX).endsWith("... (cut)");
    assertThat(Printable.value(newlines)).isSameAs(newlines);
    String faces = Printable.value("x" + "\ud83d\ude00".repeat(1_000));
    assertThat(faces).hasSizeLessThanOrEqualTo(Printable.VALUE_CHARS_MAX);
    assertThat(faces.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff)).isTrue();
    assertThat(Printable.text("y".repeat(5_000))).hasSize(Printable.TEXT_CHARS_MAX);
  }

  @Test
  void whatHasNoTextIsNamedByItsClass() {
    Object broken =
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("no text");
          }
        };
    assertThat(Printable.value(broken)).startsWith(getClass().getName()).endsWith("a text)");
  }

  /** It is told where nothing may be thrown: in an outcome, in a parked row, in the log. */
  @Test
  void whatThrowsAnyErrorAtAllIsNamedByItsClass() {
    Throwable broken =
        new IllegalStateException() {
          private static final long serialVersionUID = 1;

          @Override
          public String getMessage() {
            throw new AssertionError("no text");
          }
        };
    assertThat(Printable.text(broken)).startsWith(getClass().getName()).endsWith("a text)");
  }

  @Test
  void messagesAndErrorsPrintWhatCameFromOutsideOnOneLine() {
    Message message = Message.to(FORGED.replace("\0", ""), "type\u2028").build();
    assertThat(message.toString()).doesNotContain("\u2028", "\r", "\u001b").contains("type\\u2028");
    Received received =
        new Received(
            "s\n", "i\r", "t\u001b", null, "y\u2028", 1, new byte[0], Map.of(), null, "", "");
    assertThat(received).hasToString("Received[i\\r from s\\n t\\u001b y\\u2028 v1]");
    assertThat(new InboxId("s\n", "i\r")).hasToString("InboxId[i\\r from s\\n]");
    assertThat(new StoreException(ErrorCode.STORE_FAILED, FORGED, null))
        .hasMessage("OUT-027 " + SAFE);
    assertThat(((Outcome.Rejected) Outcome.suspect(FORGED)).reason()).isEqualTo(SAFE);
    assertThat(((Outcome.Unavailable) Outcome.unavailable(FORGED)).reason()).isEqualTo(SAFE);
  }

  private static final String REFUSAL = "ERROR: duplicate key violates \"customer_email_key\"";
  private final SQLException duplicate =
      new SQLException(REFUSAL + "\n  Detail: Key (email)=(alice@example.org) exists.", "23505");

  /** PostgreSQL's details quote rows, and frameworks quote PostgreSQL. */
  @Test
  void detailsOfAnSqlExceptionAreNotPrinted() {
    Exception quoting =
        new IllegalStateException(
            "cannot insert [" + duplicate.getMessage() + "] [sql]", new Exception(duplicate));
    Exception failure = new Exception("failed", quoting);
    failure.addSuppressed(duplicate);

    assertThat(Printable.text(duplicate)).isEqualTo("java.sql.SQLException: " + REFUSAL);
    assertThat(Printable.text(quoting))
        .isEqualTo("java.lang.IllegalStateException: cannot insert [" + REFUSAL + "] [sql]");
    StringWriter printed = new StringWriter();
    Printable.trace(failure).printStackTrace(new PrintWriter(printed, true));
    assertThat(printed.toString()).contains(REFUSAL).doesNotContain("alice");
    assertThat(Printable.text(new SQLException())).isEqualTo("java.sql.SQLException");
    assertThat(Printable.text(new SQLException(""))).isEqualTo("java.sql.SQLException: ");
  }

  @Test
  void statementOfABatchIsNotPrinted() {
    BatchUpdateException batch =
        new BatchUpdateException(
            "Batch entry 0 INSERT INTO customer VALUES ('alice@example.org') was aborted: "
                + duplicate.getMessage(),
            new int[0]);
    batch.setNextException(duplicate);
    assertThat(Printable.text(new RuntimeException(batch)))
        .isEqualTo("java.lang.RuntimeException: java.sql.BatchUpdateException: " + REFUSAL);
  }

  @Test
  void traceOfAFailureHasNoLinesOfItsMessages() {
    Exception cause = new IllegalStateException("cause\n\tat forged.Frame");
    Exception failure = new Exception("first\r\nERROR forged", cause);
    failure.addSuppressed(new Exception("suppressed\nforged"));
    cause.addSuppressed(failure);
    StringWriter printed = new StringWriter();
    Printable.trace(failure).printStackTrace(new PrintWriter(printed, true));
    assertThat(printed.toString())
        .startsWith("java.lang.Exception: first\\r\\nERROR forged")
        .contains("Caused by: java.lang.IllegalStateException: cause\\n\\tat forged.Frame")
        .contains("Suppressed: java.lang.Exception: suppressed\\nforged");
    assertThat(printed.toString().lines()).noneMatch(line -> line.startsWith("ERROR"));
    assertThat(Printable.trace(failure).getStackTrace()).isEqualTo(failure.getStackTrace());
  }
}
