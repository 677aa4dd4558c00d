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
import java.sql.Savepoint;
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
      proof.commit(connection, List.of());
    }
    assertThat(isKnown(ONE)).isTrue();
    assertThat(messages()).hasSize(1);
  }

  @Test
  final void onlyNewIdsAreProven() throws SQLException {
    try (Connection connection = begin()) {
      insert(connection, ONE).orElseThrow().commit(connection, List.of());
    }
    try (Connection connection = begin()) {
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
  final void recordThatAnotherInstanceHasMadeMeanwhileIsNotForgotten() throws SQLException {
    try (Connection connection = begin()) {
      InboxProof proof = insert(connection, ONE).orElseThrow();
      connection.rollback();
      inTransaction(transaction -> assertThat(insert(transaction, ONE)).isPresent());
      proof.forgetIfCommitted(connection);
    }
    assertThat(isKnown(ONE)).isTrue();
  }

  @Test
  final void proofsOfTwoTransactionsAreToldApart() throws SQLException {
    try (Connection connection = begin()) {
      InboxProof first = insert(connection, ONE).orElseThrow();
      connection.rollback();
      InboxProof later = insert(connection, TWO).orElseThrow();
      assertCode(ErrorCode.TRANSACTION_NOT_YOURS, () -> commit(first, connection, later));
      connection.rollback();
      assertThat(isKnown(TWO)).isFalse();
    }
  }

  @Test
  final void inboxWithinASavepointMayBeKeptOrUndone() throws SQLException {
    try (Outledger outledger = Outledger.builder(dataSource()).withoutRetention().build()) {
      for (boolean isUndone : List.of(true, false)) {
        outledger
            .transactions()
            .run(
                connection -> {
                  outledger.outbox().append(connection, StoreContractTests.message("before"));
                  processWithin(connection, outledger, isUndone);
                });
      }
      InboxOutcome again =
          outledger.transactions().call(connection -> process(connection, outledger));
      assertThat(again).isEqualTo(InboxOutcome.DUPLICATE);
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

  /** Processes a message within a savepoint of the work's own. */
  private static void processWithin(Connection connection, Outledger outledger, boolean undone)
      throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    assertThat(process(connection, outledger)).isEqualTo(InboxOutcome.PROCESSED);
    if (undone) {
      connection.rollback(savepoint);
    } else {
      connection.releaseSavepoint(savepoint);
    }
  }

  private static InboxOutcome process(Connection connection, Outledger outledger) {
    return outledger.inbox("c").process(connection, RECEIVED, () -> {});
  }

  private Connection begin() throws SQLException {
    Connection connection = dataSource().getConnection();
    database().transactionBounds().begin(connection);
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

  private static void commit(InboxProof proof, Connection connection, InboxProof... others) {
    try {
      proof.commit(connection, List.of(others));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
