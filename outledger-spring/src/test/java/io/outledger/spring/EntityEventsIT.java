// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;

/** What entities raise, where Spring runs without Boot. */
class EntityEventsIT {

  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private final LocalContainerEntityManagerFactoryBean factory =
      new LocalContainerEntityManagerFactoryBean();
  private JpaTransactionManager manager;
  private EntityManager entities;
  private Outledger outledger;
  private SpringOutbox outbox;

  @BeforeEach
  void start() {
    dataSource.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    Schema.of(dataSource).apply(dataSource);
    jdbc.execute("CREATE TABLE account (id text PRIMARY KEY, cents int)");
    factory.setDataSource(dataSource);
    factory.setPackagesToScan("io.outledger.spring");
    factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factory.afterPropertiesSet();
    EntityManagerFactory entityManagerFactory = Objects.requireNonNull(factory.getObject());
    entities = SharedEntityManagerCreator.createSharedEntityManager(entityManagerFactory);
    manager = new JpaTransactionManager(entityManagerFactory);
    SpringTransactions transactions = new SpringTransactions(dataSource);
    manager.addListener(transactions);
    outledger = Outledger.builder(dataSource).build();
    outbox = new SpringOutbox(outledger, transactions);
    EntityEvents events = new EntityEvents(outbox);
    events.install(entityManagerFactory, listeners -> {});
    transactions.beforeAppend(events);
  }

  @AfterEach
  void stop() {
    outledger.close();
    factory.destroy();
  }

  @Test
  void theyAreAppendedWithWhatIsAppendedByHandInTheOrderOfBoth() {
    inTransaction(
        () -> {
          Account account = new Account("a");
          entities.persist(account);
          account.pay(1);
          outbox.append(Message.to("accounts", "account.audited").key("by hand").build());
          account.pay(2);
        });
    assertThat(keys()).containsExactly("a 1", "by hand", "a 3");
  }

  @Test
  void theyGoWithTheirTransaction() {
    assertThatThrownBy(
            () ->
                inTransaction(
                    () -> {
                      Account account = new Account("a");
                      account.pay(1);
                      entities.persist(account);
                      entities.flush();
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(keys()).isEmpty();
  }

  private void inTransaction(Runnable work) {
    new TransactionTemplate(manager).executeWithoutResult(status -> work.run());
  }

  private List<String> keys() {
    return jdbc.queryForList("SELECT key FROM outledger_message ORDER BY position", String.class);
  }
}
