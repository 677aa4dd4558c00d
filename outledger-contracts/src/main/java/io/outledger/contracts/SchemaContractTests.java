// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

abstract class SchemaContractTests extends DatabaseContractTests {

  private static final int APPLIERS = 4;

  @Test
  final void databaseWithoutTablesIsRefused() {
    assertCode(ErrorCode.SCHEMA_MISSING, () -> database().schema().check(dataSource()));
  }

  @Test
  final void applyingAgainChangesNothing() {
    database().schema().apply(dataSource());
    append("kept");
    database().schema().apply(dataSource());
    database().schema().check(dataSource());
    assertThat(messages()).hasSize(1);
  }

  @Test
  final void appliersAtTheSameTimeWaitForEachOther() {
    ExecutorService threads = Executors.newFixedThreadPool(APPLIERS);
    try {
      List<CompletableFuture<Void>> appliers = new ArrayList<>();
      for (int i = 0; i < APPLIERS; i++) {
        appliers.add(
            CompletableFuture.runAsync(() -> database().schema().apply(dataSource()), threads));
      }
      appliers.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
    database().schema().check(dataSource());
    append("one");
    assertThat(messages()).hasSize(1);
  }

  @Test
  final void printedScriptMakesTheSameTables() throws SQLException {
    fixture().run(database().schema().print());
    database().schema().check(dataSource());
    append("one");
    assertThat(messages()).hasSize(1);
  }

  @Test
  final void tablesOfALaterReleaseAreRefused() {
    database().schema().apply(dataSource());
    execute("INSERT INTO outledger_schema (version) VALUES (1000)");
    assertCode(ErrorCode.SCHEMA_NEWER, () -> database().schema().check(dataSource()));
    assertCode(ErrorCode.SCHEMA_NEWER, () -> database().schema().apply(dataSource()));
  }

  /** As many test suites do between two tests, with all tables that they find. */
  @Test
  final void rowsThatSomebodyHasRemovedAreNamedAndPutBack() {
    database().schema().apply(dataSource());
    append("kept");
    for (String table : List.of("outledger_retention", "outledger_schema")) {
      execute("DELETE FROM " + table);
      if (table.equals("outledger_retention")) {
        assertThatThrownBy(() -> database().schema().check(dataSource()))
            .hasMessageStartingWith("OUT-003")
            .hasMessageContaining(table)
            .hasMessageContaining("Schema.apply");
        assertThat(count("SELECT count(*) FROM outledger_lag WHERE reason LIKE '%retention%'"))
            .isEqualTo(1);
        RelayStore relay = open("new", Start.EARLIEST);
        assertCode(ErrorCode.SCHEMA_MISSING, relay::look);
      }
      database().schema().apply(dataSource());
      database().schema().check(dataSource());
    }
    assertThat(messages()).hasSize(1);
    execute("DELETE FROM outledger_retention");
    assertCode(ErrorCode.SCHEMA_MISSING, () -> owner("reader"));
  }

  @Test
  final void tablesAreEmptiedForTestsWhileARelayOwnsItsSubscription() {
    Schema schema = Schema.of(dataSource());
    schema.apply(dataSource());
    append("a", "b", "c");
    Owner owner = owner();
    List<LedgerMessage> read = messagesOf(owner);
    remember(SUBSCRIPTION, read.get(0));
    owner.save(
        ParkedRows.park(read.get(1), "", ParkedState.RETRYING, AT_ONCE),
        ParkedRows.park(9, "b", ParkedState.HELD, null));
    owner.save(new Frontier(3, Positions.of(3)));
    schema.emptyForTests(dataSource());
    assertThat(owner.trySave(owner.frontier())).isInstanceOf(SaveOutcome.Fenced.class);
    for (String table : List.of("message", "parked", "inbox")) {
      assertThat(count("SELECT count(*) FROM outledger_" + table)).as(table).isZero();
    }
    append("d");
    Owner next = owner();
    assertThat(read(next)).containsExactly(4L);
    settle(next);
    schema.emptyForTests(dataSource());
    append("e");
    assertThat(read(owner())).containsExactly(5L);
    assertThat(messages()).hasSize(1);
  }

  @Test
  final void databaseIsFoundAndTablesInASchemaOfAnotherNameAreApart() {
    Optional<String> other = fixture().otherSchema();
    if (other.isEmpty()) {
      assertCode(ErrorCode.INVALID_NAME, () -> Schema.of(dataSource(), "Apart_1"));
      return;
    }
    Schema.of(dataSource(), other.get()).apply(dataSource());
    try (Outledger outledger = Outledger.builder(dataSource()).schema(other.get()).build()) {
      outledger.outbox().inNewTransaction(StoreContractTests.message("apart"));
    }
    assertCode(ErrorCode.SCHEMA_MISSING, () -> Schema.of(dataSource()).check(dataSource()));
    Schema.of(dataSource()).apply(dataSource());
    assertThat(messages()).isEmpty();
  }

  @Test
  final void nameThatIsNotPlainIsRefused() {
    for (String name : List.of("", "1a", "a b", "a\"b", "a;b", "é", "a".repeat(64))) {
      assertCode(ErrorCode.INVALID_NAME, () -> Schema.of(dataSource(), name));
    }
  }

  @Test
  final void errorTellsThatTablesAreMissing() throws SQLException {
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      SQLException failure =
          catchThrowableOfType(
              SQLException.class,
              () ->
                  database()
                      .appender()
                      .append(connection, List.of(StoreContractTests.message("nowhere"))));
      assertThat(database().errors().classOf(failure)).isEqualTo(ErrorClass.TABLES_MISSING);
      connection.rollback();
    }
  }
}
