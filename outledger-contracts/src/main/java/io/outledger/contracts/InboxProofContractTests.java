// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.spi.InboxProof;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

abstract class InboxProofContractTests extends DatabaseContractTests {

  private static final InboxId ONE = new InboxId("shop", "1");
  private static final InboxId TWO = new InboxId("shop", "2");
  private static final Received RECEIVED = ReceivedContractTests.message("7", "3");

  @Test
  final void commitOfTheTransactionThatRememberedCommits() throws SQLException {
    try (Connection connection = begin()) {
      InboxProof proof = insert(connection, ONE).orElseThrow();
      database().appender().append(connection, List.of(StoreContractTests.message("effect")));
      proof.commit(connection);
      connection.commit();
    }
    assertThat(isKnown(ONE)).isTrue();
    assertThat(messages()).hasSize(1);
  }

  @Test
  final void onlyNewIdsAreProven() throws SQLException {
    try (Connection connection = begin()) {
      insert(connection, ONE).orElseThrow().commit(connection);
      connection.commit();
      Optional<InboxProof> both = database().inbox().insert(connection, "c", Set.of(ONE, TWO));
      assertThat(both.orElseThrow().ids()).containsExactly(TWO);
      assertThat(insert(connection, ONE)).isEmpty();
      connection.rollback();
    }
  }

  @Test
  final void transactionThatWasRolledBackOnTheWayIsNotCommitted() throws SQLException {
    try (Connection connection = begin()) {
      InboxProof proof = insert(connection, ONE).orElseThrow();
      connection.rollback();
      database().appender().append(connection, List.of(StoreContractTests.message("later")));
      assertCode(ErrorCode.TRANSACTION_NOT_YOURS, () -> commit(proof, connection));
      connection.rollback();
    }
    assertThat(isKnown(ONE)).isFalse();
    assertThat(messages()).isEmpty();
  }

  @Test
  final void transactionThatWasCommittedOnTheWayIsForgotten() throws SQLException {
    try (Connection connection = begin()) {
      InboxProof proof = insert(connection, ONE).orElseThrow();
      connection.commit();
      database().appender().append(connection, List.of(StoreContractTests.message("later")));
      assertCode(ErrorCode.TRANSACTION_NOT_YOURS, () -> commit(proof, connection));
      connection.rollback();
      proof.forgetIfCommitted(connection);
    }
    assertThat(isKnown(ONE)).isFalse();
    assertThat(messages()).isEmpty();
  }

  @Test
  final void threeInboxesOfOneTransactionAreCommittedTogether() {
    List<String> consumers = List.of("a", "b", "c");
    try (Outledger outledger = Outledger.builder(dataSource()).withoutRetention().build()) {
      for (InboxOutcome outcome : List.of(InboxOutcome.PROCESSED, InboxOutcome.DUPLICATE)) {
        outledger
            .transactions()
            .run(
                connection ->
                    assertThat(consumers)
                        .allSatisfy(
                            consumer ->
                                assertThat(
                                        outledger
                                            .inbox(consumer)
                                            .process(connection, RECEIVED, () -> {}))
                                    .isEqualTo(outcome)));
      }
    }
  }

  @Test
  final void rolledBackIdsNeedNotBeForgotten() throws SQLException {
    inTransaction(transaction -> assertThat(insert(transaction, TWO)).isPresent());
    try (Connection connection = begin()) {
      InboxProof proof = insert(connection, ONE).orElseThrow();
      connection.rollback();
      proof.forgetIfCommitted(connection);
    }
    assertThat(isKnown(TWO)).isTrue();
  }

  @Test
  final void proofsOfTwoTransactionsAreToldApart() throws SQLException {
    try (Connection connection = begin()) {
      InboxProof first = insert(connection, ONE).orElseThrow();
      insert(connection, TWO).orElseThrow().requireSameTransaction(connection, first);
      connection.rollback();
      InboxProof later = insert(connection, ONE).orElseThrow();
      assertCode(ErrorCode.TRANSACTION_NOT_YOURS, () -> requireSame(connection, later, first));
      connection.rollback();
    }
  }

  @Test
  final void intactTransactionMayCommit() {
    inTransaction(
        transaction -> {
          database().appender().append(transaction, List.of(StoreContractTests.message("k")));
          database().transactionBounds().requireIntact(transaction);
        });
    assertThat(messages()).hasSize(1);
  }

  private Connection begin() throws SQLException {
    Connection connection = dataSource().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private Optional<InboxProof> insert(Connection connection, InboxId id) throws SQLException {
    return database().inbox().insert(connection, "c", Set.of(id));
  }

  /** Returns whether a consumer has processed it, without remembering it. */
  private boolean isKnown(InboxId id) throws SQLException {
    try (Connection connection = begin()) {
      boolean isKnown = insert(connection, id).isEmpty();
      connection.rollback();
      return isKnown;
    }
  }

  private static void requireSame(Connection connection, InboxProof later, InboxProof earlier) {
    try {
      later.requireSameTransaction(connection, earlier);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void commit(InboxProof proof, Connection connection) {
    try {
      proof.commit(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
