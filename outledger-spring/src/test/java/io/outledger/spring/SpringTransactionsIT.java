// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** How an outbox is tied to the transactions of a data source. */
class SpringTransactionsIT {

  private final PGSimpleDataSource dataSource = database();
  private final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
  private final SpringTransactions transactions = new SpringTransactions(dataSource);
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
  void aListenerAfterTheEndIsToldToRunATransactionOfItsOwn() {
    List<StoreException> failures = new ArrayList<>();
    new TransactionTemplate(manager)
        .executeWithoutResult(
            status ->
                TransactionSynchronizationManager.registerSynchronization(
                    new TransactionSynchronization() {
                      // as @TransactionalEventListener(phase = AFTER_COMMIT) does
                      @Override
                      public void afterCompletion(int outcome) {
                        try {
                          append("too late");
                        } catch (StoreException e) {
                          failures.add(e);
                        }
                      }
                    }));
    assertThat(failures)
        .singleElement()
        .asString()
        .contains("OUT-001", "has ended", "REQUIRES_NEW")
        .doesNotContain("data source");
  }

  /** Its caller would else repeat what has been committed, and the relay would not be woken. */
  @Test
  void aHookThatThrowsDoesNotMakeTheTransactionLookFailed() {
    List<String> ran = new ArrayList<>();
    new TransactionTemplate(manager)
        .executeWithoutResult(
            status -> {
              append("a");
              transactions.afterCommit(
                  () -> {
                    ran.add("first");
                    throw new IllegalStateException("planted");
                  });
              transactions.afterCommit(() -> ran.add("second"));
            });
    assertThat(ran).containsExactly("first", "second");
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void afterTheCommitNothingOfTheTransactionIsToBeHad() {
    List<Throwable> failures = new ArrayList<>();
    new TransactionTemplate(manager)
        .executeWithoutResult(
            status ->
                transactions.afterCommit(
                    () -> {
                      failures.add(catchThrowable(() -> append("too late")));
                      failures.add(catchThrowable(() -> transactions.afterCommit(() -> {})));
                      failures.add(catchThrowable(transactions::connection));
                    }));
    assertThat(failures)
        .hasSize(3)
        .allSatisfy(
            e -> assertThat(e).hasMessageContaining("OUT-001").hasMessageContaining("committed"));
    assertThat(keys()).isEmpty();
  }

  @Test
  void aCallbackThatComesEarlyAfterTheCommitCannotAppendEither() {
    List<Throwable> failures = new ArrayList<>();
    new TransactionTemplate(manager)
        .executeWithoutResult(
            status ->
                TransactionSynchronizationManager.registerSynchronization(
                    new TransactionSynchronization() {
                      @Override
                      public int getOrder() {
                        return HIGHEST_PRECEDENCE + 1;
                      }

                      @Override
                      public void afterCommit() {
                        failures.add(catchThrowable(() -> append("too late")));
                      }
                    }));
    assertThat(failures)
        .singleElement()
        .satisfies(e -> assertThat(e).hasMessageContaining("OUT-001"));
  }

  @Test
  void aManagerThatTellsTwiceIsHeardOnce() {
    manager.addListener(transactions);
    new TransactionTemplate(manager).executeWithoutResult(status -> append("a"));
    assertThat(keys()).containsExactly("a");
    assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
  }

  @Test
  void anOutledgerOfAnotherDataSourceIsRefused() {
    SpringTransactions others = new SpringTransactions(database());
    assertThatThrownBy(() -> new SpringOutbox(outledger, others))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-021")
        .hasMessageContaining("another data source");
    assertThatThrownBy(() -> new SpringInbox(outledger, others, manager))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("another data source");
  }

  @Test
  void aProxyOfTheDataSourceIsTheSameDataSource() {
    SpringTransactions proxied =
        new SpringTransactions(new TransactionAwareDataSourceProxy(dataSource));
    assertThat(new SpringOutbox(outledger, proxied)).isNotNull();
    try (Outledger lazy =
        Outledger.builder(new LazyConnectionDataSourceProxy(dataSource)).build()) {
      assertThat(new SpringOutbox(lazy, transactions)).isNotNull();
    }
  }

  private void append(String key) {
    outbox.append(Message.to("orders", "order.placed").key(key).build());
  }

  private List<String> keys() {
    return new JdbcTemplate(dataSource)
        .queryForList("SELECT message_key FROM outledger_message ORDER BY position", String.class);
  }

  private static PGSimpleDataSource database() {
    PGSimpleDataSource made = new PGSimpleDataSource();
    made.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    return made;
  }
}
