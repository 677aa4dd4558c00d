// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions whose rows Spring commits although they were to be rolled back. */
class CommittedAnywayIT {

  private final PGSimpleDataSource dataSource = database();
  private final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
  private final SpringTransactions transactions = new SpringTransactions(dataSource);
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private Outledger outledger;
  private SpringOutbox outbox;

  @BeforeEach
  void build() {
    manager.addListener(transactions);
    Schema.of(dataSource).apply(dataSource);
    jdbc.execute("CREATE TABLE business (id int)");
    outledger = Outledger.builder(dataSource).build();
    outbox = new SpringOutbox(outledger, transactions);
  }

  @AfterEach
  void close() {
    outledger.close();
  }

  /** As a listener of BEFORE_COMMIT that calls a transactional method and survives its failure. */
  @Test
  void aCallbackBeforeTheCommitThatMarksTheTransactionLeavesBothOrNeither() {
    assertThatThrownBy(
            () ->
                placeAnd(
                    () ->
                        assertThatThrownBy(
                                () ->
                                    in(
                                        TransactionDefinition.PROPAGATION_REQUIRED,
                                        () -> {
                                          throw new IllegalStateException("of an inner method");
                                        }))
                            .hasMessage("of an inner method")))
        .isInstanceOf(RuntimeException.class);
    assertThat(keys()).hasSize(rows());
  }

  /** The status of the transaction itself, which Spring no longer looks at then. */
  @Test
  void aCallbackBeforeTheCommitThatMarksTheStatusLeavesBothOrNeither() {
    var unused =
        catchThrowable(
            () ->
                new TransactionTemplate(manager)
                    .executeWithoutResult(status -> place(status::setRollbackOnly)));
    assertThat(keys()).hasSize(rows());
  }

  /** Spring takes it for a failure of the commit, and does not roll back. */
  @Test
  void aTransactionalFailureInACallbackBeforeTheCommitLeavesBothOrNeither() {
    assertThatThrownBy(
            () ->
                placeAnd(
                    () -> {
                      throw new UnexpectedRollbackException("of a transaction of its own");
                    }))
        .isInstanceOf(RuntimeException.class);
    assertThat(keys()).hasSize(rows());
  }

  @Test
  void aTransactionalFailureOfAnotherKindInACallbackBeforeTheCommitLeavesBothOrNeither() {
    assertThatThrownBy(() -> placeAnd(() -> in(TransactionDefinition.PROPAGATION_NEVER, () -> {})))
        .isInstanceOf(RuntimeException.class);
    assertThat(keys()).hasSize(rows());
  }

  /** A listener of BEFORE_COMMIT that reads something when the time is over. */
  @Test
  void aTransactionThatTimesOutInACallbackBeforeTheCommitLeavesBothOrNeither() {
    DefaultTransactionDefinition brief = new DefaultTransactionDefinition();
    brief.setTimeout(1);
    assertThatThrownBy(
            () ->
                new TransactionTemplate(manager, brief)
                    .executeWithoutResult(
                        status -> {
                          place(() -> jdbc.queryForObject("SELECT 1", Integer.class));
                          jdbcWithoutTimeout("SELECT pg_sleep(1.2)");
                        }))
        .isInstanceOf(RuntimeException.class);
    assertThat(keys()).hasSize(rows());
  }

  private void jdbcWithoutTimeout(String sql) {
    try (var statement = transactions.connection().createStatement()) {
      statement.execute(sql);
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The manager of the data source itself, the outbox on a proxy in front of it, and back. */
  @Test
  void aManagerBehindAProxyOfTheOutboxsDataSourceIsItsManager() {
    LazyConnectionDataSourceProxy proxy = new LazyConnectionDataSourceProxy(dataSource);
    SpringTransactions proxied = new SpringTransactions(proxy);
    manager.addListener(proxied);
    SpringOutbox other = new SpringOutbox(outledger, proxied);
    in(
        TransactionDefinition.PROPAGATION_REQUIRED,
        () -> other.append(Message.to("orders", "order.placed").key("a").build()));
    JdbcTransactionManager ofProxy = new JdbcTransactionManager(proxy);
    ofProxy.addListener(transactions);
    new TransactionTemplate(ofProxy)
        .executeWithoutResult(
            status -> outbox.append(Message.to("orders", "order.placed").key("b").build()));
    assertThat(keys()).containsExactly("a", "b");
  }

  private void placeAnd(Runnable beforeCommit) {
    in(TransactionDefinition.PROPAGATION_REQUIRED, () -> place(beforeCommit));
  }

  private void place(Runnable beforeCommit) {
    jdbc.update("INSERT INTO business VALUES (1)");
    outbox.append(Message.to("orders", "order.placed").key("a").build());
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void beforeCommit(boolean readOnly) {
            beforeCommit.run();
          }
        });
  }

  private void in(int propagation, Runnable work) {
    new TransactionTemplate(manager, new DefaultTransactionDefinition(propagation))
        .executeWithoutResult((TransactionStatus status) -> work.run());
  }

  private int rows() {
    return jdbc.queryForList("SELECT id FROM business", Integer.class).size();
  }

  private List<String> keys() {
    return jdbc.queryForList(
        "SELECT message_key FROM outledger_message ORDER BY position", String.class);
  }

  private static PGSimpleDataSource database() {
    PGSimpleDataSource made = new PGSimpleDataSource();
    made.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    return made;
  }
}
