// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.SpringTransactions;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Transaction managers that do not tell their data source: that of a document database begins
 * transactions as well as any other, and no message could be handled in them.
 */
public abstract class UnknownManagersContract {

  private static final String[] PROPERTIES = {
    "outledger.schema-initialization=always", "outledger.relay.enabled=false"
  };
  private static final String NAMED = "outledger.transaction-manager=";

  /** Creates it. */
  protected UnknownManagersContract() {}

  /** A manager of something that is no data source. */
  static final class OfDocuments extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;

    @Override
    protected Object doGetTransaction() {
      return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }

  /** One of another make around Spring's, as for metrics. */
  record Around(PlatformTransactionManager inner) implements PlatformTransactionManager {

    @Override
    public TransactionStatus getTransaction(TransactionDefinition definition) {
      return inner.getTransaction(definition);
    }

    @Override
    public void commit(TransactionStatus status) {
      inner.commit(status);
    }

    @Override
    public void rollback(TransactionStatus status) {
      inner.rollback(status);
    }
  }

  /** The primary one is of documents. */
  @Configuration(proxyBeanMethods = false)
  static class Documents {

    @Bean
    @Primary
    PlatformTransactionManager documents() {
      return new OfDocuments();
    }
  }

  /** One of the data source. */
  @Configuration(proxyBeanMethods = false)
  static class Rows {

    @Bean
    PlatformTransactionManager rows(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  /** One of the data source that does not say so. */
  @Configuration(proxyBeanMethods = false)
  static class Wrapped {

    @Bean
    PlatformTransactionManager wrapped(DataSource dataSource, SpringTransactions transactions) {
      JdbcTransactionManager inner = new JdbcTransactionManager(dataSource);
      inner.addListener(transactions);
      return new Around(inner);
    }
  }

  @Test
  void oneThatIsNotOfTheDataSourceStopsTheStart() {
    List<Class<?>> alone = List.of(Documents.class, InboxedConfiguration.class);
    assertThat(PrintedStart.of(alone, PROPERTIES))
        .contains(
            "OUT-021",
            "documents begins no transaction of the outbox's data source",
            "JdbcTransactionManager");
    assertThat(PrintedStart.of(alone, with("documents")))
        .contains("outledger.transaction-manager is documents, which begins no transaction");
  }

  @Test
  void oneThatIsKnownToBeOfTheDataSourceComesFirst() {
    assertWorks(List.of(Documents.class, Rows.class, InboxedConfiguration.class), PROPERTIES);
  }

  @Test
  void oneThatProvesToBeOfTheDataSourceIsUsed() {
    assertWorks(List.of(Documents.class, Wrapped.class, InboxedConfiguration.class), PROPERTIES);
    assertWorks(
        List.of(Documents.class, Wrapped.class, Rows.class, InboxedConfiguration.class),
        with("wrapped"));
  }

  private static void assertWorks(List<Class<?>> configuration, String... properties) {
    try (RunningShop shop = RunningShop.start(configuration, properties)) {
      InboxedConfiguration.Payments payments = shop.bean(InboxedConfiguration.Payments.class);
      assertThat(payments.pay("p-1", true)).isEqualTo("paid");
      assertThat(payments.pay("p-1", true)).isNull();
    }
  }

  private static String[] with(String manager) {
    return new String[] {PROPERTIES[0], PROPERTIES[1], NAMED + manager};
  }
}
