// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.EntityManager;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.UnexpectedRollbackException;

/** The outbox in the transactions of JPA, on Hibernate. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringOutboxJpaIT {

  private OnHibernate hibernate;
  private JdbcTemplate jdbc;
  private EntityManager entities;

  @BeforeAll
  void start() {
    hibernate =
        new OnHibernate(
            "CREATE TABLE customer (id text PRIMARY KEY, name text)",
            "CREATE TABLE seen (customers int)",
            "CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN INSERT INTO seen SELECT count(*) FROM customer; RETURN NULL; END'",
            "CREATE TRIGGER looking AFTER INSERT ON outledger_message"
                + " FOR EACH STATEMENT EXECUTE FUNCTION look()");
    jdbc = hibernate.jdbc();
    entities = hibernate.entities();
  }

  @BeforeEach
  void empty() {
    jdbc.execute("DELETE FROM customer");
    jdbc.execute("DELETE FROM outledger_message");
    jdbc.execute("DELETE FROM seen");
  }

  @AfterAll
  void stop() {
    hibernate.close();
  }

  @Test
  void anEntityIsWrittenBeforeItsMessageInTheSameTransaction() {
    hibernate.inTransaction(
        () -> {
          hibernate.append("c-1");
          entities.persist(new Customer("c-1", "Ada"));
        });
    assertThat(hibernate.keys()).containsExactly("c-1");
    assertThat(jdbc.queryForList("SELECT customers FROM seen", Integer.class)).containsExactly(1);
  }

  @Test
  void aFlushThatFailsLeavesNoMessage() {
    hibernate.inTransaction(() -> entities.persist(new Customer("c-1", "Ada")));
    assertThatThrownBy(
            () ->
                hibernate.inTransaction(
                    () -> {
                      hibernate.append("c-1");
                      entities.persist(new Customer("c-1", "Grace"));
                    }))
        .isInstanceOf(RuntimeException.class);
    assertThat(hibernate.keys()).isEmpty();
  }

  @Test
  void aTransactionOfItsOwnHasItsOwnMessages() {
    assertThatThrownBy(
            () ->
                hibernate.inTransaction(
                    () -> {
                      hibernate.append("outer");
                      hibernate.inNewTransaction(
                          () -> {
                            entities.persist(new Customer("c-2", "Ada"));
                            hibernate.append("inner");
                          });
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(hibernate.keys()).containsExactly("inner");
  }

  @Test
  void aMessageThatAnEntityAppendsWhileItIsFlushedComesAfterItsRow() {
    hibernate.inTransaction(() -> entities.persist(new Customer("c-3", "Ada")));
    jdbc.execute("CREATE TABLE IF NOT EXISTS order_of_writes (n serial, what text)");
    jdbc.execute("DELETE FROM order_of_writes");
    logged("customer", "UPDATE");
    logged("outledger_message", "INSERT");
    hibernate.inTransaction(
        () -> entities.find(Customer.class, "c-3").rename("Grace", () -> hibernate.append("c-3")));
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
                  hibernate.inTransaction(
                      () -> {
                        hibernate.append("c-4");
                        assertThatThrownBy(
                                () ->
                                    hibernate.inTransaction(
                                        () -> {
                                          throw new IllegalStateException("of an inner method");
                                        }))
                            .hasMessage("of an inner method");
                      }))
          .isInstanceOf(UnexpectedRollbackException.class);
    } finally {
      jdbc.execute("ALTER TABLE outledger_message RENAME COLUMN theme TO topic");
    }
    assertThat(hibernate.keys()).isEmpty();
  }

  @Test
  void whatTheApplicationHoldsBackIsNotFlushed() {
    hibernate.inTransaction(
        () -> {
          entities.unwrap(Session.class).setHibernateFlushMode(FlushMode.MANUAL);
          entities.persist(new Customer("c-5", "Ada"));
          hibernate.append("c-5");
        });
    assertThat(jdbc.queryForList("SELECT id FROM customer", String.class)).isEmpty();
    assertThat(hibernate.keys()).containsExactly("c-5");
  }
}
