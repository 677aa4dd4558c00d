// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.event.Events;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.JdbcTransactions;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.servers.RoundTrips;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OutboxIT {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private final JdbcOutbox outbox = Outledger.builder(DATABASE.dataSource()).build().outbox();

  @BeforeEach
  void empty() {
    DATABASE.execute("TRUNCATE outledger_message");
  }

  private static Message message(int number) {
    return Message.to("orders", "order.placed").key("k" + number % 7).build();
  }

  private static List<Message> messages(int count) {
    return IntStream.range(0, count).mapToObj(OutboxIT::message).toList();
  }

  private List<String> idsByPosition() {
    return DATABASE.query("SELECT id FROM outledger_message ORDER BY position");
  }

  private static List<String> texts(List<UUID> ids) {
    return ids.stream().map(UUID::toString).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1_000, 10_000})
  void positionsFollowTheGivenOrder(int count) throws SQLException {
    List<Message> shuffled = new ArrayList<>(messages(count));
    Collections.shuffle(shuffled, new java.util.Random(count));
    List<UUID> ids;
    try (Connection connection = DATABASE.begin()) {
      ids = outbox.append(connection, shuffled);
      connection.commit();
    }
    assertThat(ids).containsExactlyElementsOf(shuffled.stream().map(Message::id).toList());
    assertThat(idsByPosition()).containsExactlyElementsOf(texts(ids));
    assertThat(DATABASE.query("SELECT max(position) - min(position) + 1 FROM outledger_message"))
        .containsExactly("" + count);
  }

  @Test
  void positionsFollowTheGivenOrderAfterTheStatementWasPreparedOnTheServer() throws SQLException {
    List<String> expected = new ArrayList<>();
    try (Connection connection = DATABASE.begin()) {
      for (int i = 0; i < 20; i++) {
        expected.addAll(texts(outbox.append(connection, messages(50))));
      }
      connection.commit();
    }
    assertThat(idsByPosition()).containsExactlyElementsOf(expected);
  }

  @Test
  void nothingIsThereBeforeTheCommitAndNothingAfterARollBack() throws SQLException {
    try (Connection connection = DATABASE.begin()) {
      outbox.append(connection, message(1));
      assertThat(DATABASE.count("outledger_message")).isZero();
      connection.rollback();
      assertThat(DATABASE.count("outledger_message")).isZero();
      outbox.append(connection, message(2));
      connection.commit();
    }
    assertThat(DATABASE.count("outledger_message")).isEqualTo(1);
  }

  @Test
  void autoCommitIsRefusedBeforeAnythingIsWritten() throws SQLException {
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      assertCode(() -> outbox.append(connection, message(1)), ErrorCode.NO_TRANSACTION);
      assertThat(connection.getAutoCommit()).isTrue();
    }
    assertThat(DATABASE.count("outledger_message")).isZero();
  }

  @Test
  void oneBadMessageAmongGoodOnesWritesNothingAndLeavesTheTransactionUsable() throws SQLException {
    Message large =
        Message.to("orders", "order.placed")
            .payload(new byte[Events.PAYLOAD_BYTES_MAX + 1])
            .build();
    try (Connection connection = DATABASE.begin()) {
      assertCode(
          () -> outbox.append(connection, message(1), large, message(2)),
          ErrorCode.PAYLOAD_TOO_LARGE);
      outbox.append(connection, message(3));
      connection.commit();
    }
    assertThat(DATABASE.count("outledger_message")).isEqualTo(1);
  }

  @Test
  void nothingToAppendIsFine() throws SQLException {
    try (Connection connection = DATABASE.begin()) {
      assertThat(outbox.append(connection)).isEmpty();
      assertThat(outbox.append(connection, List.of())).isEmpty();
    }
  }

  @Test
  void twentyPayloadsOfOneMebibyteComeBackByteIdentical() throws SQLException {
    List<Message> large = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      byte[] payload = new byte[Events.PAYLOAD_BYTES_MAX];
      new java.util.Random(i).nextBytes(payload);
      large.add(Message.to("files", "file.stored").payload(payload).build());
    }
    try (Connection connection = DATABASE.begin()) {
      outbox.append(connection, large);
      connection.commit();
    }
    assertThat(payloads())
        .usingElementComparator(Arrays::compare)
        .containsExactlyElementsOf(large.stream().map(Message::payload).toList());
  }

  @Test
  void payloadsThatAreNoTextComeBackByteIdentical() throws SQLException {
    byte[] all = new byte[256];
    IntStream.range(0, 256).forEach(i -> all[i] = (byte) i);
    List<byte[]> payloads =
        List.of(
            new byte[0],
            new byte[] {0},
            new byte[] {'a', 0, 'b', 0},
            new byte[] {
              (byte) 0xc3, (byte) 0x28, (byte) 0xed, (byte) 0xa0, (byte) 0x80, (byte) 0xff
            },
            "\\x00 \\\\ {\"a\",'b',NULL}".getBytes(UTF_8),
            all);
    try (Connection connection = DATABASE.begin()) {
      for (int times = 0; times < 10; times++) { // past the driver's switch to prepared, binary
        outbox.append(connection, payloads.stream().map(OutboxIT::with).toList());
      }
      connection.commit();
    }
    List<byte[]> expected = new ArrayList<>();
    Collections.nCopies(10, payloads).forEach(expected::addAll);
    assertThat(payloads())
        .usingElementComparator(Arrays::compare)
        .containsExactlyElementsOf(expected);
  }

  private static Message with(byte[] payload) {
    return Message.to("files", "file.stored").payload(payload).build();
  }

  private List<byte[]> payloads() throws SQLException {
    List<byte[]> payloads = new ArrayList<>();
    try (Connection connection = DATABASE.begin();
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery("SELECT payload FROM outledger_message ORDER BY position")) {
      while (rows.next()) {
        payloads.add(rows.getBytes(1));
      }
    }
    return payloads;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "NULL",
        "null",
        "\"quoted\"",
        "{a,b}",
        "back\\slash",
        "it's",
        "שלום עולם",
        "مرحبا",
        "👩‍👩‍👧‍👦🇮🇱",
        "\uFEFF\u200F\u202E",
        "tab\tline\nend",
        "$1 ? {schema} ::text",
        "\uFFFF"
      })
  void anyTextIsStoredAsItIs(String text) throws SQLException {
    String type = "x" + text.replaceAll("\\p{Cntrl}", "");
    try (Connection connection = DATABASE.begin()) {
      Message message =
          Message.to("t" + text, type).key("k" + text).header("h", text.replace("\n", "")).build();
      outbox.append(connection, message, message(1));
      connection.commit();
    }
    String row = " FROM outledger_message ORDER BY position LIMIT 1";
    assertThat(DATABASE.query("SELECT message_key" + row)).containsExactly("k" + text);
    assertThat(DATABASE.query("SELECT topic" + row)).containsExactly("t" + text);
    assertThat(DATABASE.query("SELECT type" + row)).containsExactly(type);
    String headers = DATABASE.query("SELECT headers" + row).get(0);
    assertThat(HeaderText.decode(headers)).containsEntry("h", text.replace("\n", ""));
  }

  @Test
  void whatIsNotGivenIsNull() throws SQLException {
    try (Connection connection = DATABASE.begin()) {
      outbox.append(connection, Message.to("a", "b").build(), message(1));
      connection.commit();
    }
    assertThat(
            DATABASE.query(
                "SELECT message_key IS NULL AND headers IS NULL FROM outledger_message"
                    + " ORDER BY position LIMIT 1"))
        .containsExactly("t");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-21T01:02:03.123456Z",
        "1969-12-31T23:59:59.999999Z",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z"
      })
  void theTimeIsKeptToTheMicrosecondWhateverTheTimeZone(String time) throws SQLException {
    try (Connection connection = DATABASE.begin();
        Statement statement = connection.createStatement()) {
      statement.execute("SET TIME ZONE 'Asia/Kathmandu'");
      outbox.append(connection, Message.to("a", "b").time(java.time.Instant.parse(time)).build());
      connection.commit();
    }
    assertThat(
            DATABASE.query(
                "SELECT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
                    + " FROM outledger_message"))
        .containsExactly(time.length() > 20 ? time : time.replace("Z", ".000000Z"));
  }

  @Test
  void anyNumberOfMessagesIsOneRoundTrip() throws Exception {
    try (RoundTrips line = new RoundTrips(Postgres.shared().port());
        Connection connection = DATABASE.dataSource(line.port()).getConnection()) {
      connection.setAutoCommit(false);
      outbox.append(connection, message(1)); // the first one here also looks who reads
      for (int count : new int[] {1, 1, 1, 1, 1, 1, 1, 2, 100, 10_000, 1}) {
        line.take();
        outbox.append(connection, messages(count));
        assertThat(line.take()).as("round trips of %d messages", count).isEqualTo(1);
      }
      connection.commit();
      assertThat(line.take()).isEqualTo(1);
    }
  }

  @Test
  void aTransactionOfItsOwnIsOneRoundTripForTheMessagesAndOneForTheCommit() throws Exception {
    try (RoundTrips line = new RoundTrips(Postgres.shared().port());
        Outledger outledger = Outledger.builder(DATABASE.dataSource(line.port())).build()) {
      JdbcTransactions transactions = outledger.transactions();
      transactions.run(
          connection -> {
            outledger.outbox().append(connection, message(1));
            assertThat(line.take()).isPositive();
          });
      assertThat(line.take()).isEqualTo(1);
    }
  }

  @Test
  void aWriterNeedsNoMoreThanTheRightToInsert() throws SQLException {
    String role = "writer_" + DATABASE.name;
    DATABASE.execute("CREATE ROLE " + role);
    DATABASE.execute("GRANT INSERT ON outledger_message TO " + role);
    DATABASE.execute("GRANT USAGE ON SEQUENCE outledger_message_position TO " + role);
    try (Connection connection = DATABASE.begin();
        Statement statement = connection.createStatement()) {
      statement.execute("SET ROLE " + role);
      outbox.append(connection, message(1), message(2));
      connection.commit();
    }
    assertThat(DATABASE.count("outledger_message")).isEqualTo(2);
    DATABASE.execute("DROP OWNED BY " + role + "; DROP ROLE " + role);
  }

  @Test
  void aReadOnlyTransactionIsRefused() throws SQLException {
    try (Connection connection = DATABASE.begin();
        Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION READ ONLY");
      assertCode(() -> outbox.append(connection, message(1)), ErrorCode.SERVER_IN_RECOVERY);
    }
  }

  @Test
  void aConnectionInReadOnlyModeIsTheCallersMistake() throws SQLException {
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      assertCode(() -> outbox.append(connection, message(1)), ErrorCode.NO_TRANSACTION);
    }
  }

  @Test
  void aMissingTableIsNamedAsSuch() throws SQLException {
    TestDatabase without = TestDatabase.empty();
    try (Connection connection = without.begin()) {
      assertCode(() -> outbox.append(connection, message(1)), ErrorCode.SCHEMA_MISSING);
    }
  }

  @Test
  void aLostConnectionIsUnavailable() throws SQLException {
    try (Connection connection = DATABASE.begin();
        Statement statement = connection.createStatement()) {
      var row = statement.executeQuery("SELECT pg_backend_pid()");
      row.next();
      int pid = row.getInt(1);
      DATABASE.query("SELECT pg_terminate_backend(" + pid + ")");
      Await.until(
          "the backend has ended",
          Duration.ofSeconds(10),
          () -> DATABASE.count("pg_stat_activity WHERE pid = " + pid) == 0);
      assertCode(() -> outbox.append(connection, message(1)), ErrorCode.STORE_UNAVAILABLE);
    }
  }

  @Test
  void aFailedStatementIsTheCallersToRollBackAndShowsNoPayload() throws SQLException {
    DATABASE.execute(
        "ALTER TABLE outledger_message ADD CONSTRAINT narrow CHECK (topic <> 'forbidden')");
    try (Connection connection = DATABASE.begin()) {
      Message bad =
          Message.to("forbidden", "t").key("CANARY-key").payload("CANARY".getBytes(UTF_8)).build();
      assertThatThrownBy(() -> outbox.append(connection, message(1), bad))
          .isInstanceOfSatisfying(
              OutledgerException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED))
          .hasMessageNotContaining("CANARY")
          .hasMessageContaining("23514");
      connection.rollback();
      outbox.append(connection, message(2));
      connection.commit();
    }
    assertThat(DATABASE.count("outledger_message")).isEqualTo(1);
    DATABASE.execute("ALTER TABLE outledger_message DROP CONSTRAINT narrow");
  }

  @Test
  void theCallerMayGiveTheId() throws SQLException {
    UUID id = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");
    try (Connection connection = DATABASE.begin()) {
      assertThat(outbox.append(connection, Message.to("a", "b").id(id).build()))
          .containsExactly(id);
      connection.commit();
    }
    assertThat(idsByPosition()).containsExactly(id.toString());
  }

  @Test
  void anEventWithoutARegisteredTypeIsRefused() throws SQLException {
    try (Connection connection = DATABASE.begin()) {
      assertThatThrownBy(() -> outbox.append(connection, "an event"))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageStartingWith("OUT-011")
          .hasMessageContaining("java.lang.String");
    }
  }

  private static void assertCode(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call).hasFieldOrPropertyWithValue("code", code);
  }
}
