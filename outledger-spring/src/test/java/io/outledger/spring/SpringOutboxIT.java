// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox in the transactions of Spring's own manager for JDBC. */
class SpringOutboxIT {

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
    outledger = Outledger.builder(dataSource).build();
    outbox = new SpringOutbox(outledger, transactions);
  }

  @AfterEach
  void close() {
    outledger.close();
  }

  @Test
  void allMessagesOfATransactionAreWrittenInOneStatementInTheirOrder() {
    jdbc.execute("CREATE TABLE statements (n int)");
    jdbc.execute(
        "CREATE FUNCTION count_one() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO statements VALUES (1); RETURN NULL; END'");
    jdbc.execute(
        "CREATE TRIGGER counted AFTER INSERT ON outledger_message"
            + " FOR EACH STATEMENT EXECUTE FUNCTION count_one()");
    required(
        () -> {
          append("a");
          append("b");
          assertThat(keys()).isEmpty();
          append("c");
        });
    assertThat(keys()).containsExactly("a", "b", "c");
    assertThat(jdbc.queryForObject("SELECT count(*) FROM statements", Integer.class)).isOne();
  }

  @Test
  void aRollBackLeavesNothing() {
    assertThatThrownBy(
            () ->
                required(
                    () -> {
                      append("a");
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(keys()).isEmpty();
  }

  @Test
  void whatCannotBeWrittenRollsTheTransactionBackAndReachesTheCaller() {
    jdbc.execute("CREATE TABLE business (id int)");
    assertThatThrownBy(
            () ->
                required(
                    () -> {
                      jdbc.update("INSERT INTO business VALUES (1)");
                      append("a");
                      jdbc.execute("ALTER TABLE outledger_message RENAME COLUMN topic TO theme");
                    }))
        .isInstanceOf(OutledgerException.class);
    assertThat(jdbc.queryForObject("SELECT count(*) FROM business", Integer.class)).isZero();
  }

  @Test
  void aTransactionOfItsOwnCommitsForItself() {
    assertThatThrownBy(
            () ->
                required(
                    () -> {
                      append("outer");
                      in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, () -> append("inner"));
                      append("outer too");
                      throw new IllegalStateException();
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(keys()).containsExactly("inner");
  }

  @Test
  void aTransactionThatIsContinuedAfterAnInnerOneAppendsAll() {
    required(
        () -> {
          append("outer");
          assertThatThrownBy(
                  () ->
                      in(
                          TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                          () -> {
                            append("inner");
                            throw new IllegalStateException();
                          }))
              .isInstanceOf(IllegalStateException.class);
          append("outer too");
        });
    assertThat(keys()).containsExactly("outer", "outer too");
  }

  @Test
  void aNestedTransactionThatRollsBackDropsItsMessages() {
    required(
        () -> {
          append("a");
          assertThatThrownBy(
                  () ->
                      in(
                          TransactionDefinition.PROPAGATION_NESTED,
                          () -> {
                            append("dropped");
                            throw new IllegalStateException();
                          }))
              .isInstanceOf(IllegalStateException.class);
          in(TransactionDefinition.PROPAGATION_NESTED, () -> append("b"));
          append("c");
        });
    assertThat(keys()).containsExactly("a", "b", "c");
  }

  @Test
  void aTransactionThatJoinsWritesOnceAtTheOuterEnd() {
    required(
        () -> {
          required(() -> append("a"));
          assertThat(keys()).isEmpty();
        });
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void withoutATransactionItSaysWhatToDo() {
    assertThatThrownBy(() -> append("a"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("OUT-001")
        .hasMessageContaining("@Transactional");
  }

  @Test
  void supportsWithoutATransactionIsNone() {
    assertThatThrownBy(() -> in(TransactionDefinition.PROPAGATION_SUPPORTS, () -> append("a")))
        .hasMessageContaining("OUT-001");
  }

  @Test
  void anotherThreadDoesNotJoin() {
    required(
        () ->
            assertThatThrownBy(() -> CompletableFuture.runAsync(() -> append("a")).join())
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("OUT-001")
                .hasMessageContaining("@Async"));
  }

  @Test
  void aReadOnlyTransactionIsRefused() {
    DefaultTransactionDefinition readOnly = new DefaultTransactionDefinition();
    readOnly.setReadOnly(true);
    assertThatThrownBy(
            () ->
                new TransactionTemplate(manager, readOnly)
                    .executeWithoutResult(status -> append("a")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("OUT-001")
        .hasMessageContaining("readOnly");
  }

  @Test
  void aTransactionOfAnotherDataSourceIsRefused() {
    JdbcTransactionManager other = new JdbcTransactionManager(database());
    other.addListener(transactions);
    assertThatThrownBy(
            () -> new TransactionTemplate(other).executeWithoutResult(status -> append("a")))
        .hasMessageContaining("OUT-001")
        .hasMessageContaining("two data sources");
    assertThatThrownBy(
            () ->
                required(
                    () ->
                        new TransactionTemplate(other).executeWithoutResult(status -> append("a"))))
        .hasMessageContaining("two data sources");
  }

  @Test
  void aManagerThatDoesNotTellIsRefused() {
    JdbcTransactionManager silent = new JdbcTransactionManager(dataSource);
    assertThatThrownBy(
            () -> new TransactionTemplate(silent).executeWithoutResult(status -> append("a")))
        .hasMessageContaining("addListener");
  }

  @Test
  void aListenerBeforeTheCommitMayStillAppend() {
    required(
        () -> {
          append("a");
          TransactionSynchronizationManager.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                  append("b");
                }
              });
        });
    assertThat(keys()).containsExactly("a", "b");
  }

  @Test
  void aListenerAfterTheCommitIsRefused() {
    List<Throwable> failures = new ArrayList<>();
    required(
        () ->
            TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                  @Override
                  public void afterCommit() {
                    try {
                      append("too late");
                    } catch (StoreException e) {
                      failures.add(e);
                    }
                  }
                }));
    assertThat(failures).singleElement().asString().contains("REQUIRES_NEW");
    assertThat(keys()).isEmpty();
  }

  @Test
  void stepsBeforeTheAppendAreRepeatedUntilNothingIsNew() {
    AtomicInteger left = new AtomicInteger(3);
    transactions.beforeAppend(
        () -> {
          if (left.getAndDecrement() > 0) {
            append("of a step");
          }
        });
    required(() -> append("a"));
    assertThat(keys()).containsExactly("a", "of a step", "of a step", "of a step");
  }

  @Test
  void aStepThatAppendsWithoutEndRollsBack() {
    transactions.beforeAppend(() -> append("again"));
    assertThatThrownBy(() -> required(() -> append("a"))).hasMessageContaining("10 rounds");
    assertThat(keys()).isEmpty();
  }

  @Test
  void anEventThatComesByTwoWaysIsAppendedOnce() {
    Message event = message("a");
    required(
        () -> {
          outbox.appendOnce(event);
          outbox.appendOnce(event);
        });
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void theSameEventIsAppendedAgainAfterItsSavepointWasRolledBackOrItsAppendFailed() {
    Message event = message("a");
    in(
        TransactionDefinition.PROPAGATION_REQUIRED,
        () -> {
          assertThatThrownBy(
                  () ->
                      in(
                          TransactionDefinition.PROPAGATION_NESTED,
                          () -> {
                            outbox.appendOnce(event);
                            throw new IllegalStateException("the step fails");
                          }))
              .isInstanceOf(IllegalStateException.class);
          outbox.appendOnce(event);
          outbox.appendOnce(event);
        });
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void aStepThatFailsInATransactionOfItsOwnRollsTheOuterOneBack() {
    transactions.beforeAppend(
        () -> {
          throw new UnexpectedRollbackException("of the inner one");
        });
    assertThatThrownBy(() -> required(() -> append("a")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("of the inner one");
    assertThat(keys()).isEmpty();
  }

  @Test
  void nothingIsLeftOnTheThread() {
    required(() -> append("a"));
    assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
  }

  private void append(String key) {
    outbox.append(message(key));
  }

  private static Message message(String key) {
    return Message.to("orders", "order.placed").key(key).build();
  }

  private void required(Runnable work) {
    in(TransactionDefinition.PROPAGATION_REQUIRED, work);
  }

  private void in(int propagation, Runnable work) {
    new TransactionTemplate(manager, new DefaultTransactionDefinition(propagation))
        .executeWithoutResult(status -> work.run());
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
