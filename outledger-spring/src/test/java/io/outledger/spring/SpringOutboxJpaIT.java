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
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox in the transactions of JPA, on Hibernate. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringOutboxJpaIT {

  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private final LocalContainerEntityManagerFactoryBean factory =
      new LocalContainerEntityManagerFactoryBean();
  private JpaTransactionManager manager;
  private EntityManager entities;
  private Outledger outledger;
  private SpringOutbox outbox;

  @BeforeAll
  void start() {
    dataSource.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    Schema.of(dataSource).apply(dataSource);
    jdbc.execute("CREATE TABLE customer (id text PRIMARY KEY, name text)");
    jdbc.execute("CREATE TABLE seen (customers int)");
    jdbc.execute(
        "CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO seen SELECT count(*) FROM customer; RETURN NULL; END'");
    jdbc.execute(
        "CREATE TRIGGER looking AFTER INSERT ON outledger_message"
            + " FOR EACH STATEMENT EXECUTE FUNCTION look()");
    factory.setDataSource(dataSource);
    factory.setPackagesToScan("io.outledger.spring");
    factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factory.afterPropertiesSet();
    EntityManagerFactory made = Objects.requireNonNull(factory.getObject());
    entities = SharedEntityManagerCreator.createSharedEntityManager(made);
    manager = new JpaTransactionManager(made);
    SpringTransactions transactions = new SpringTransactions(dataSource);
    manager.addListener(transactions);
    outledger = Outledger.builder(dataSource).build();
    outbox = new SpringOutbox(outledger, transactions);
  }

  @BeforeEach
  void empty() {
    jdbc.execute("DELETE FROM customer");
    jdbc.execute("DELETE FROM outledger_message");
    jdbc.execute("DELETE FROM seen");
  }

  @AfterAll
  void stop() {
    outledger.close();
    factory.destroy();
  }

  @Test
  void anEntityIsWrittenBeforeItsMessageInTheSameTransaction() {
    in(
        TransactionDefinition.PROPAGATION_REQUIRED,
        () -> {
          append("c-1");
          entities.persist(new Customer("c-1", "Ada"));
        });
    assertThat(keys()).containsExactly("c-1");
    assertThat(jdbc.queryForList("SELECT customers FROM seen", Integer.class)).containsExactly(1);
  }

  @Test
  void aFlushThatFailsLeavesNoMessage() {
    in(
        TransactionDefinition.PROPAGATION_REQUIRED,
        () -> entities.persist(new Customer("c-1", "Ada")));
    assertThatThrownBy(
            () ->
                in(
                    TransactionDefinition.PROPAGATION_REQUIRED,
                    () -> {
                      append("c-1");
                      entities.persist(new Customer("c-1", "Grace"));
                    }))
        .isInstanceOf(RuntimeException.class);
    assertThat(keys()).isEmpty();
  }

  @Test
  void aTransactionOfItsOwnHasItsOwnMessages() {
    assertThatThrownBy(
            () ->
                in(
                    TransactionDefinition.PROPAGATION_REQUIRED,
                    () -> {
                      append("outer");
                      in(
                          TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                          () -> {
                            entities.persist(new Customer("c-2", "Ada"));
                            append("inner");
                          });
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(keys()).containsExactly("inner");
  }

  @Test
  void aMessageThatAnEntityAppendsWhileItIsFlushedComesAfterItsRow() {
    in(
        TransactionDefinition.PROPAGATION_REQUIRED,
        () -> entities.persist(new Customer("c-3", "Ada")));
    jdbc.execute("CREATE TABLE IF NOT EXISTS order_of_writes (n serial, what text)");
    jdbc.execute("DELETE FROM order_of_writes");
    logged("customer", "UPDATE");
    logged("outledger_message", "INSERT");
    in(
        TransactionDefinition.PROPAGATION_REQUIRED,
        () -> entities.find(Customer.class, "c-3").rename("Grace", () -> append("c-3")));
    assertThat(jdbc.queryForList("SELECT what FROM order_of_writes ORDER BY n", String.class))
        .containsExactly("customer", "outledger_message");
  }

  private void logged(String table, String event) {
    jdbc.execute(
        "CREATE OR REPLACE FUNCTION log_write() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT"
            + " INTO order_of_writes (what) VALUES (TG_TABLE_NAME); RETURN NULL; END'");
    jdbc.execute(
        "CREATE TRIGGER logged AFTER %s ON %s FOR EACH STATEMENT EXECUTE FUNCTION log_write()"
            .formatted(event, table));
  }

  @Test
  void aTransactionThatCanOnlyRollBackWritesNothingAndSaysWhy() {
    jdbc.execute("ALTER TABLE outledger_message RENAME COLUMN topic TO theme");
    try {
      assertThatThrownBy(
              () ->
                  in(
                      TransactionDefinition.PROPAGATION_REQUIRED,
                      () -> {
                        append("c-4");
                        assertThatThrownBy(
                                () ->
                                    in(
                                        TransactionDefinition.PROPAGATION_REQUIRED,
                                        () -> {
                                          throw new IllegalStateException("of an inner method");
                                        }))
                            .hasMessage("of an inner method");
                      }))
          .isInstanceOf(UnexpectedRollbackException.class);
    } finally {
      jdbc.execute("ALTER TABLE outledger_message RENAME COLUMN theme TO topic");
    }
    assertThat(keys()).isEmpty();
  }

  @Test
  void whatTheApplicationHoldsBackIsNotFlushed() {
    in(
        TransactionDefinition.PROPAGATION_REQUIRED,
        () -> {
          entities.unwrap(Session.class).setHibernateFlushMode(FlushMode.MANUAL);
          entities.persist(new Customer("c-5", "Ada"));
          append("c-5");
        });
    assertThat(jdbc.queryForList("SELECT id FROM customer", String.class)).isEmpty();
    assertThat(keys()).containsExactly("c-5");
  }

  private void append(String key) {
    outbox.append(Message.to("customers", "customer.changed").key(key).build());
  }

  private void in(int propagation, Runnable work) {
    new TransactionTemplate(manager, new DefaultTransactionDefinition(propagation))
        .executeWithoutResult(status -> work.run());
  }

  private List<String> keys() {
    return jdbc.queryForList("SELECT key FROM outledger_message ORDER BY position", String.class);
  }
}
