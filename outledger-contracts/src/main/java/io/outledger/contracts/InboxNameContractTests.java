// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.InboxId;
import io.outledger.jdbc.spi.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whose records an inbox holds: their names are there whenever their records are. */
abstract class InboxNameContractTests extends DatabaseContractTests {

  private static final String NAMES = "SELECT count(*) FROM outledger_inbox_consumer";
  private static final String RECORDS = "SELECT count(*) FROM outledger_inbox";
  private static final Duration OLD = Duration.ofMinutes(2);

  @Test
  final void nameIsTold() throws SQLException {
    remember("stock", "1");
    assertThat(names()).containsExactly("stock");
    assertThat(count("SELECT count(*) FROM outledger_processed WHERE consumer = 'stock'"))
        .isEqualTo(1);
  }

  @Test
  final void nameIsToldOnceHoweverOftenItRemembers() {
    for (int i = 0; i < 5; i++) {
      remember("stock", String.valueOf(i));
    }
    assertThat(count(NAMES)).isEqualTo(1);
  }

  @Test
  final void nameThatWasRolledBackIsToldAgain() throws SQLException {
    for (int attempt = 0; attempt < 3; attempt++) {
      try (Connection connection = begin()) {
        insert(database(), connection, "stock", "1");
        insert(database(), connection, "stock", "2"); // finds the name, which is not there yet
        connection.rollback();
      }
    }
    assertThat(count(NAMES)).isZero();
    remember("stock", "1");
    assertThat(names()).containsExactly("stock");
    assertThat(purged("stock")).isEqualTo(1);
  }

  @Test
  final void nameIsToldAgainAfterASavepoint() throws SQLException {
    try (Connection connection = begin()) {
      Savepoint before = connection.setSavepoint();
      insert(database(), connection, "stock", "1");
      connection.rollback(before);
      insert(database(), connection, "stock", "2");
      connection.commit();
    }
    assertThat(names()).containsExactly("stock");
    assertThat(purged("stock")).isEqualTo(1);
  }

  @Test
  final void twoThatTellANameAtOnceDoNotWaitForEachOther() throws SQLException {
    try (Connection one = begin();
        Connection other = begin()) {
      assertThat(insert(database(), one, "stock", "1")).isTrue();
      if (fixture().writers() == DatabaseFixture.Writers.ONE) {
        one.commit();
      }
      assertThat(insert(database(), other, "stock", "2")).isTrue();
      one.commit();
      other.commit();
    }
    assertThat(names()).containsExactly("stock");
    assertThat(count("SELECT count(*) FROM outledger_processed")).isEqualTo(2);
    assertThat(purged("stock")).isEqualTo(2);
  }

  /** One of a restored dump, say, or one whose row somebody has deleted. */
  @Test
  final void whatIsKnownDoesNotDependOnTheNames() {
    remember("stock", "1");
    execute("DELETE FROM outledger_inbox_consumer");
    inTransaction(
        transaction -> {
          assertThat(insert(database(), transaction, "stock", "1")).isFalse();
          assertThat(insert(database(), transaction, "mail", "1")).isTrue();
        });
  }

  @Test
  final void consumerThatProcessesInHandlersAndFromABrokerHasTwoNumbers() {
    append("a");
    remember("stock", "1");
    remember("stock", SUBSCRIPTION, messagesOf(owner()).get(0));
    assertThat(count("SELECT count(DISTINCT consumer_no) FROM outledger_inbox")).isEqualTo(2);
    assertThat(count("SELECT count(*) FROM outledger_processed WHERE position = 1")).isEqualTo(1);
    assertThat(purged("stock")).isEqualTo(2);
  }

  private long purged(String consumer) {
    execute("UPDATE outledger_inbox SET processed_minute = processed_minute - 10");
    long removed = retention().purgeInbox(OLD, Set.of(consumer)).removed();
    assertThat(count(RECORDS)).isZero();
    return removed;
  }

  private Set<String> names() throws SQLException {
    try (Connection connection = begin()) {
      Set<String> names = database().received().consumers(connection);
      connection.rollback();
      return names;
    }
  }

  private void remember(String consumer, String id) {
    inTransaction(
        transaction -> assertThat(insert(database(), transaction, consumer, id)).isTrue());
  }

  private static boolean insert(
      Database database, Connection transaction, String consumer, String id) throws SQLException {
    return database
        .inbox()
        .insert(transaction, consumer, Set.of(new InboxId("shop", id)))
        .isPresent();
  }

  private Connection begin() throws SQLException {
    Connection connection = dataSource().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }
}
