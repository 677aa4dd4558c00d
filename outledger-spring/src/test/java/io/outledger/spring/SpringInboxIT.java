// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.InboxOutcome;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** How an inbox takes part in a transaction that is running already. */
class SpringInboxIT {

  private final PGSimpleDataSource dataSource = database();
  private final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
  private final TransactionTemplate transaction = new TransactionTemplate(manager);
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private final Outledger outledger = Outledger.builder(dataSource).build();
  private final SpringInbox inbox = inbox();

  private static PGSimpleDataSource database() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    Schema.of(dataSource).apply(dataSource);
    new JdbcTemplate(dataSource).execute("CREATE TABLE effects (message text)");
    return dataSource;
  }

  private SpringInbox inbox() {
    SpringTransactions transactions = new SpringTransactions(dataSource);
    manager.addListener(transactions);
    return new SpringInbox(outledger, transactions, manager);
  }

  @AfterEach
  void close() {
    outledger.close();
  }

  /** As a listener of batches does, which notes what failed and goes on. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void workThatFailsInAJoinedTransactionIsNotCommittedByACallerThatCatches(boolean marksTheWhole) {
    manager.setGlobalRollbackOnParticipationFailure(marksTheWhole);
    assertThatThrownBy(() -> transaction.executeWithoutResult(status -> failAndCatch()))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(effects()).isZero();
    InboxOutcome again = transaction.execute(status -> inbox.process("c", "s", "m", this::effect));
    assertThat(again).isEqualTo(InboxOutcome.PROCESSED);
    assertThat(effects()).isOne();
  }

  private void failAndCatch() {
    assertThatThrownBy(
            () ->
                inbox.process(
                    "c",
                    "s",
                    "m",
                    () -> {
                      effect();
                      throw new IllegalStateException("planted");
                    }))
        .hasMessage("planted")
        .hasNoSuppressedExceptions();
  }

  private void effect() {
    jdbc.update("INSERT INTO effects VALUES ('m')");
  }

  private int effects() {
    return jdbc.queryForList("SELECT message FROM effects").size();
  }
}
