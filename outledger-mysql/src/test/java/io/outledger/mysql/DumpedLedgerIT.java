// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.relay.Relay;
import io.outledger.servers.Await;
import io.outledger.servers.InnoDbDump;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A ledger that was dumped and loaded elsewhere goes on where it was: what was published stays so,
 * what was waiting comes, and no position is given out again that the dump's cursor has passed.
 */
class DumpedLedgerIT {

  /** One that nobody reads again, since its subscription is another one. */
  private static final String PARKED =
      """
      INSERT INTO {schema}.outledger_parked
             (subscription, position, route, state, blocks, requested, attempts, parked_at,
              changed_at, time, id, version, topic, type, payload)
      VALUES ('another', 1, '', 'dead', FALSE, 'retry', 1, UTC_TIMESTAMP(6),
              UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), UNHEX(REPEAT('0', 32)), 1, 'orders', 'placed',
              '')\
      """;

  private static final List<String> VIEWS =
      List.of(
          "outledger_subscription",
          "outledger_pending",
          "outledger_failed",
          "outledger_inbox_failed",
          "outledger_processed",
          "outledger_readable",
          "outledger_lag");

  private static final String NAMES =
      """
      SELECT COUNT(*) FROM information_schema.VIEWS v
       WHERE v.TABLE_SCHEMA = {name} AND v.VIEW_DEFINITION LIKE '%%`%s`%%'\
      """;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @ParameterizedTest
  @EnumSource
  void relayOfADumpThatWasLoadedGoesOnWhereItWas(ChangeFilesIT.On product) throws Exception {
    try (TestDatabase before = product.open().withTables();
        TestDatabase after = product.open()) {
      append(before, "a", "b");
      rollBack(before);
      assertThat(published(before)).containsExactly("a", "b");
      append(before, "c");
      before.execute(PARKED);
      InnoDbDump dump = before.server().dump(before.tables().schema());
      after.server().load(dump, after.tables().schema());
      before.execute("DELETE FROM {schema}.outledger_parked");
      assertThat(after.text("SELECT p.discarded FROM {schema}.outledger_parked p")).isEqualTo("0");
      after.execute("UPDATE {schema}.outledger_parked SET requested = 'discard'");
      assertThat(after.text("SELECT p.discarded FROM {schema}.outledger_parked p")).isEqualTo("1");
      after.execute("DELETE FROM {schema}.outledger_parked");
      after.withTables();
      append(after, "d");
      assertThat(published(after)).containsExactly("c", "d");
      assertThat(published(before)).containsExactly("c");
    }
  }

  /** What was published since the dump is not in it, and its positions are given out again. */
  @ParameterizedTest
  @EnumSource
  void relayThatRunsWhileADumpTakesTheLedgersPlaceReadsAgainFromTheDump(ChangeFilesIT.On product)
      throws Exception {
    try (TestDatabase database = product.open().withTables();
        Outledger outledger = outledger(database)) {
      RecordingPublisher publisher = new RecordingPublisher();
      outledger.relay("kafka").to(publisher).start();
      append(database, "a");
      awaitSaved(outledger, 1);
      InnoDbDump dump = database.server().dump(database.tables().schema());
      append(database, "b");
      awaitSaved(outledger, 2);
      replace(database, dump);
      append(database, "c");
      assertThat(database.text("SELECT MAX(m.position) FROM {schema}.outledger_message m"))
          .as("the position that b had")
          .isEqualTo("2");
      Await.until("c is published", PATIENCE, () -> texts(publisher).contains("c"));
      awaitSaved(outledger, 2);
      assertThat(texts(publisher)).startsWith("a", "b").endsWith("c");
    }
  }

  private static void awaitSaved(Outledger outledger, long position) {
    Await.until(
        "all is published up to " + position,
        PATIENCE,
        () ->
            outledger.admin().subscriptions().stream()
                .anyMatch(each -> each.cursor().lowest() == position + 1));
  }

  private static void replace(TestDatabase database, InnoDbDump dump) throws SQLException {
    String name = database.tables().schema();
    try (Connection connection = database.server().connect("mysql");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE " + name);
      statement.execute("CREATE DATABASE " + name);
    }
    database.server().load(dump, name);
    database.withTables();
  }

  /** The text of a view names the database that it was made in. */
  @ParameterizedTest
  @EnumSource
  void viewsOfADumpThatWasLoadedShowTheirOwnDatabaseOnceItIsApplied(ChangeFilesIT.On product)
      throws Exception {
    try (TestDatabase before = product.open().withTables();
        TestDatabase after = product.open()) {
      append(before, "a");
      String from = before.tables().schema();
      after.server().load(before.server().dump(from), after.tables().schema());
      boolean isOfAnother = !after.text(NAMES.formatted(from)).equals("0");
      assertThat(isOfAnother).isEqualTo(product == ChangeFilesIT.On.MARIADB);
      if (isOfAnother) { // MySQL's dump leaves the name out of all views
        assertThatThrownBy(() -> Schema.of(after.dataSource()).check(after.dataSource()))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageStartingWith("OUT-003")
            .hasMessageContaining("database " + after.tables().schema() + " read another")
            .hasMessageContainingAll("outledger_lag", "Schema.apply(dataSource)");
      }
      Schema.of(before.dataSource()).check(before.dataSource());
      Schema.of(after.dataSource()).apply(after.dataSource());
      Schema.of(after.dataSource()).check(after.dataSource());
      append(after, "b");
      assertThat(published(after)).containsExactly("a", "b");
      for (String view : VIEWS) {
        assertThat(after.text("SELECT COUNT(*) FROM {schema}." + view)).as(view).isNotNull();
      }
      assertThat(after.text("SELECT MAX(l.high) FROM {schema}.outledger_lag l")).isEqualTo("2");
      assertThat(after.text(NAMES.formatted(from))).isEqualTo("0");
    }
  }

  /** A view has the rights of the user that made it, and fails for everybody without that user. */
  @ParameterizedTest
  @EnumSource
  void viewsOfAUserThatIsGoneAreMadeAnewByWhoeverAppliesTheSchema(ChangeFilesIT.On product)
      throws Exception {
    try (TestDatabase database = product.open()) {
      String maker = "'m" + UUID.randomUUID().toString().substring(0, 8) + "'@'127.0.0.1'";
      database.execute(
          "CREATE USER %s IDENTIFIED BY '%s'".formatted(maker, database.server().password()));
      database.execute("GRANT ALL ON {schema}.* TO " + maker);
      DataSource source = database.dataSource(maker.substring(1, maker.indexOf('@') - 1), "");
      Schema.of(source).apply(source);
      database.execute("DROP USER " + maker);
      assertThatThrownBy(() -> database.text("SELECT COUNT(*) FROM {schema}.outledger_lag"))
          .hasCauseInstanceOf(SQLException.class);
      database.withTables();
      for (String view : VIEWS) {
        assertThat(database.text("SELECT COUNT(*) FROM {schema}." + view)).as(view).isNotNull();
      }
    }
  }

  private static void append(TestDatabase database, String... texts) {
    try (Outledger outledger = outledger(database)) {
      for (String text : texts) {
        outledger.outbox().inNewTransaction(message(text));
      }
    }
  }

  private static void rollBack(TestDatabase database) throws SQLException {
    try (Outledger outledger = outledger(database);
        Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      outledger.outbox().append(connection, message("rolled back"));
      connection.rollback();
    }
  }

  private static List<String> published(TestDatabase database) throws InterruptedException {
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger = outledger(database);
        Relay relay = outledger.relay("kafka").to(publisher).build()) {
      relay.drain(PATIENCE);
    }
    return texts(publisher);
  }

  private static List<String> texts(RecordingPublisher publisher) {
    return publisher.messages().stream().map(each -> new String(each.payload(), UTF_8)).toList();
  }

  private static Outledger outledger(TestDatabase database) {
    return Outledger.builder(database.dataSource()).withoutRetention().build();
  }

  private static Message message(String text) {
    return Message.to("orders", "placed").key(text).payload(text.getBytes(UTF_8)).build();
  }
}
