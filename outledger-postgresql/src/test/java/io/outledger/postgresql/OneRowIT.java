// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.MessageLimits;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.PayloadLimit;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.Relay;
import io.outledger.servers.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that somebody inserted by hand, with whatever in it, stops no relay. */
class OneRowIT {

  private static final Rejected REJECTED = new Rejected("no \0 way", Rejected.Kind.FINAL);

  private final StoreBench bench = new StoreBench();

  @AfterEach
  void close() {
    bench.close();
  }

  /** Inserts a row by hand: its key, time, payload and headers as SQL expressions. */
  private void insert(String key, String time, String payload, String headers) throws SQLException {
    bench.database.execute(
        """
        INSERT INTO outledger_message
               (time, id, version, topic, message_key, type, payload, headers)
        VALUES (%s, gen_random_uuid(), 1, 'orders', %s, 'order.placed', %s, %s)\
        """
            .formatted(time, key, payload, headers));
  }

  private void insertHeaders(String headers) throws SQLException {
    insert("'bad'", "now()", "'x'", "'" + headers + "'");
  }

  /** What a table was made with before the ledger had the constraint, or its owner has dropped. */
  private void without(String constraint) throws SQLException {
    bench.database.execute(
        "ALTER DOMAIN outledger_message_%1$s DROP CONSTRAINT outledger_message_%1$s"
            .formatted(constraint));
  }

  private Relay publishFive() throws SQLException {
    bench.append("good", 1, 5);
    Relay relay = bench.relay();
    bench.steps(relay, 5);
    assertThat(bench.published()).containsExactly("good1", "good2", "good3", "good4", "good5");
    return relay;
  }

  private String failed() throws SQLException {
    return String.join("\n", bench.database.query("SELECT state, error FROM outledger_failed"));
  }

  private void stepUntil(Relay relay, String sql) {
    Await.until(
        sql,
        Duration.ofMinutes(1),
        () -> {
          bench.clock.advance(Duration.ofMillis(500));
          relay.step();
          return bench.database.number("SELECT count(*) FROM outledger_parked WHERE " + sql) == 1;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "a=%zz", "a=b&%4"})
  void headersThatAreNotEncodedMakeADeadLetter(String headers) throws SQLException {
    insertHeaders(headers);
    Relay relay = publishFive();
    assertThat(failed()).startsWith("dead|OUT-014 the row cannot be read: its headers");
    ParkedMessages parked = ParkedMessages.of(bench.database.dataSource(), "public", "kafka");
    assertThat(bench.database.admin().parked(ParkedQuery.of(Reader.subscription("kafka"))).rows())
        .singleElement()
        .matches(row -> row.message().headers().isEmpty(), "its headers cannot be read");
    assertThat(parked.retry(1, "")).isTrue();
    stepUntil(relay, "state = 'dead' AND attempts = 2 AND headers = '" + headers + "'");
    bench.database.execute("UPDATE outledger_parked SET headers = 'a=b'");
    assertThat(parked.retry(1, "")).isTrue();
    Await.until(
        "it is published once it can be read",
        Duration.ofMinutes(1),
        () -> {
          bench.clock.advance(Duration.ofMillis(500));
          relay.step();
          return bench.published().contains("x");
        });
  }

  @Test
  void unreadableMessageCanBeDiscarded() throws SQLException {
    insertHeaders("%");
    Relay relay = publishFive();
    ParkedMessages.of(bench.database.dataSource(), "public", "kafka").discard(1, "");
    Await.until(
        "it is gone",
        Duration.ofMinutes(1),
        () -> {
          bench.clock.advance(Duration.ofMillis(500));
          relay.step();
          return bench.database.number("SELECT count(*) FROM outledger_parked") == 0;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"'infinity'", "'-infinity'", "'0044-03-15 BC'", "'12345-01-01'"})
  void timeThatNobodyCanWriteMakesADeadLetter(String time) throws SQLException {
    without("time");
    insert("'bad'", time + "::timestamptz", "'x'", "NULL");
    publishFive();
    assertThat(failed()).startsWith("dead|OUT-014 the row cannot be read: its time");
    assertThat(
            bench.database.number(
                "SELECT count(*) FROM outledger_parked p JOIN outledger_message m USING (position,"
                    + " time)"))
        .isEqualTo(1);
  }

  @Test
  void payloadThatIsTooLargeIsNeverLoaded() throws SQLException {
    without("payload");
    int bytes = PayloadLimit.bytes() + 1;
    insert("'bad'", "now()", "convert_to(repeat('x', " + bytes + "), 'UTF8')", "NULL");
    Relay relay = publishFive();
    assertThat(failed()).startsWith("dead|OUT-013 the payload is larger than");
    assertThat(bench.database.number("SELECT octet_length(payload) FROM outledger_parked"))
        .isEqualTo(bytes);
    ParkedMessages.of(bench.database.dataSource(), "public", "kafka").retry(1, "");
    stepUntil(relay, "state = 'dead' AND attempts = 2");
  }

  @Test
  void keyThatNoIndexTakesIsParkedAndHeldLikeAnyOther() throws SQLException {
    without("key");
    StringBuilder key = new StringBuilder();
    new Random(1).ints(6_000, 'a', 'z' + 1).forEach(key::appendCodePoint);
    bench.publisher.rejectWhen(
        message -> key.toString().equals(message.key()),
        new Rejected("no", Rejected.Kind.DEFINITE));
    insert("'" + key + "'", "now()", "'x'", "NULL");
    insert("'" + key + "'", "now()", "'y'", "NULL");
    Relay relay = publishFive();
    assertThat(bench.database.number("SELECT count(*) FROM outledger_parked")).isEqualTo(2);
    bench.publisher.acceptAll();
    bench.database.execute(
        "UPDATE outledger_parked SET next_attempt_at = now() WHERE state = 'retrying'");
    Await.until(
        "both are published",
        Duration.ofMinutes(1),
        () -> {
          bench.clock.advance(Duration.ofMillis(500));
          relay.step();
          return bench.published().size() == 7;
        });
    assertThat(bench.published()).endsWith("x", "y");
  }

  @Test
  void textsOfErrorsAndLargeHeadersAreParked() throws SQLException {
    without("headers");
    insert("'bad'", "now()", "'x'", "'a=' || repeat('%00b', 200000)");
    bench.publisher.rejectWhen(message -> "bad".equals(message.key()), REJECTED);
    publishFive();
    assertThat(failed()).startsWith("dead|");
  }

  @Test
  void ledgerRefusesWhatNoRelayCanCarry() {
    assertRefused("time", "'bad'", "'infinity'", "'x'", "NULL");
    assertRefused("time", "'bad'", "'-infinity'", "'x'", "NULL");
    assertRefused("time", "'bad'", "'10000-01-01 00:00:00+00'", "'x'", "NULL");
    assertRefused("key", "repeat('k', 1501)", "now()", "'x'", "NULL");
    assertRefused("headers", "'bad'", "now()", "'x'", "repeat('h', 180225)");
    assertRefused(
        "payload",
        "'bad'",
        "now()",
        "convert_to(repeat('x', " + (MessageLimits.PAYLOAD_BYTES_MAX + 1) + "), 'UTF8')",
        "NULL");
  }

  private void assertRefused(
      String constraint, String key, String time, String payload, String headers) {
    assertThatThrownBy(() -> insert(key, time, payload, headers))
        .hasMessageContaining("outledger_message_" + constraint);
  }
}
