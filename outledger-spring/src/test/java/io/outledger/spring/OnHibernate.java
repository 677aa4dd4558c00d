// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Objects;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** An outbox, and an entity manager of Hibernate, on an empty database of their own. */
final class OnHibernate implements AutoCloseable {

  private final LocalContainerEntityManagerFactoryBean factory =
      new LocalContainerEntityManagerFactoryBean();
  private final JdbcTemplate jdbc;
  private final SpringTransactions transactions;
  private final JpaTransactionManager manager;
  private final EntityManager entities;
  private final Outledger outledger;
  private final SpringOutbox outbox;

  /**
   * Creates it.
   *
   * @param tables the statements that create the entities' tables
   */
  OnHibernate(String... tables) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    Schema.of(dataSource).apply(dataSource);
    jdbc = new JdbcTemplate(dataSource);
    for (String table : tables) {
      jdbc.execute(table);
    }
    factory.setDataSource(dataSource);
    factory.setPackagesToScan("io.outledger.spring");
    factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factory.afterPropertiesSet();
    entities = SharedEntityManagerCreator.createSharedEntityManager(entityManagerFactory());
    manager = new JpaTransactionManager(entityManagerFactory());
    // As the documentation shows it.
    SpringTransactions transactions = new SpringTransactions(dataSource);
    manager.addListener(transactions);
    outledger = Outledger.builder(dataSource).build();
    outbox = new SpringOutbox(outledger, transactions);
    this.transactions = transactions;
  }

  EntityManagerFactory entityManagerFactory() {
    return Objects.requireNonNull(factory.getObject());
  }

  JdbcTemplate jdbc() {
    return jdbc;
  }

  SpringTransactions transactions() {
    return transactions;
  }

  EntityManager entities() {
    return entities;
  }

  SpringOutbox outbox() {
    return outbox;
  }

  /** Appends a message with a key. */
  void append(String key) {
    outbox.append(Message.to("customers", "customer.changed").key(key).build());
  }

  /** Runs something in a transaction. */
  void inTransaction(Runnable work) {
    in(TransactionDefinition.PROPAGATION_REQUIRED, work);
  }

  /** Runs something in a transaction of its own, whichever is running. */
  void inNewTransaction(Runnable work) {
    in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, work);
  }

  private void in(int propagation, Runnable work) {
    new TransactionTemplate(manager, new DefaultTransactionDefinition(propagation))
        .executeWithoutResult(status -> work.run());
  }

  /** Returns the keys of the ledger's messages, in their order. */
  List<String> keys() {
    return jdbc.queryForList(
        "SELECT message_key FROM outledger_message ORDER BY position", String.class);
  }

  @Override
  public void close() {
    outledger.close();
    factory.destroy();
  }
}
