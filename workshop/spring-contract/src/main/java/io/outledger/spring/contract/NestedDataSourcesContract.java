// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.spring.contract.depot.Crate;
import io.outledger.spring.contract.parcels.Parcel;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A transaction of the ledger's data source, the first, within one of the second on the same
 * thread. Spring leaves the outer one's entity manager bound: neither may touch the other.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class NestedDataSourcesContract {

  private static final String FIRST = "first";
  private static final String SECOND = "second";

  private RunningShop shop;

  /** Creates it. */
  protected NestedDataSourcesContract() {}

  /** A transaction manager, and how rows are written in its transactions. */
  enum Kind {
    JDBC("Jdbc"),
    JPA("Manager");

    private final String suffix;

    Kind(String suffix) {
      this.suffix = suffix;
    }
  }

  /** Managers of JDBC beside those of JPA. */
  @Configuration(proxyBeanMethods = false)
  static class JdbcManagers {

    @Bean
    JdbcTransactionManager firstJdbc(DataSource first) {
      return new JdbcTransactionManager(first);
    }

    @Bean
    JdbcTransactionManager secondJdbc(@Qualifier(SECOND) DataSource second) {
      return new JdbcTransactionManager(second);
    }
  }

  @BeforeAll
  void start() {
    shop =
        RunningShop.of(
            List.of(TwoFactories.class, JdbcManagers.class),
            "spring.data.jpa.repositories.enabled=false",
            "outledger.schema-initialization=always",
            "outledger.relay.enabled=false",
            "outledger.events.packages=" + Parcel.class.getPackageName());
    jdbc(FIRST).sql("CREATE TABLE seen (crate text, crates int)").update();
    jdbc(FIRST)
        .sql(
            "CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO seen"
                + " SELECT NEW.message_key, count(*) FROM crate WHERE id = NEW.message_key;"
                + " RETURN NULL; END'")
        .update();
    jdbc(FIRST)
        .sql(
            "CREATE TRIGGER looking AFTER INSERT ON outledger_message"
                + " FOR EACH ROW EXECUTE FUNCTION look()")
        .update();
  }

  @AfterAll
  void stop() {
    shop.close();
  }

  @AfterEach
  void nothingIsLeftOnTheThread() {
    assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"JDBC, JDBC", "JDBC, JPA", "JPA, JDBC", "JPA, JPA"})
  void anInnerTransactionThatFailsRollsBackItselfAlone(Kind outer, Kind inner) {
    String key = "fails-" + outer + "-" + inner;
    in(
        SECOND,
        outer,
        status -> {
          write(SECOND, outer, key + "-1");
          flush(SECOND, outer);
          assertThatThrownBy(
                  () ->
                      in(
                          FIRST,
                          inner,
                          ours -> {
                            write(FIRST, inner, key);
                            append(key);
                            fail();
                          }))
              .hasMessage("planted");
          write(SECOND, outer, key + "-2");
        });
    assertThat(rows(SECOND, key)).containsExactly(key + "-1", key + "-2");
    assertThat(rows(FIRST, key)).isEmpty();
    assertThat(messages(key)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"JDBC, JDBC", "JDBC, JPA", "JPA, JDBC", "JPA, JPA"})
  void anInnerTransactionCommitsItsRowsAndMessagesAlone(Kind outer, Kind inner) {
    String key = "commits-" + outer + "-" + inner;
    assertThatThrownBy(
            () ->
                in(
                    SECOND,
                    outer,
                    status -> {
                      write(SECOND, outer, key);
                      in(
                          FIRST,
                          inner,
                          ours -> {
                            append(key);
                            write(FIRST, inner, key);
                          });
                      assertThat(messages(key)).containsExactly(key);
                      flush(SECOND, outer);
                      fail();
                    }))
        .hasMessage("planted");
    assertThat(rows(SECOND, key)).isEmpty();
    assertThat(rows(FIRST, key)).containsExactly(key);
    assertThat(messages(key)).containsExactly(key);
  }

  /** Hibernate leaves it to the application then to flush, which is the outer one's business. */
  @ParameterizedTest
  @CsvSource({"JDBC, JDBC", "JDBC, JPA", "JPA, JDBC", "JPA, JPA"})
  void withinAReadOnlyOneARowIsWrittenBeforeItsMessage(Kind outer, Kind inner) {
    String key = "reads-" + outer + "-" + inner;
    TransactionTemplate reading = transaction(SECOND, outer);
    reading.setReadOnly(true);
    reading.executeWithoutResult(
        status ->
            in(
                FIRST,
                inner,
                ours -> {
                  append(key);
                  write(FIRST, inner, key);
                }));
    assertThat(rows(FIRST, key)).containsExactly(key);
    assertThat(
            jdbc(FIRST)
                .sql("SELECT crates FROM seen WHERE crate = ?")
                .param(key)
                .query(Integer.class)
                .list())
        .containsExactly(1);
  }

  /** JPA's own manager sees to it for itself; what is marked outside says nothing of that. */
  @ParameterizedTest
  @CsvSource({"JDBC, JDBC", "JDBC, JPA", "JPA, JDBC", "JPA, JPA"})
  void withinAMarkedOneACallbackThatMarksTheInnerLeavesBothOrNeither(Kind outer, Kind inner) {
    String key = "marked-" + outer + "-" + inner;
    assertThatThrownBy(
            () ->
                in(
                    SECOND,
                    outer,
                    status -> {
                      assertThatThrownBy(() -> in(SECOND, outer, part -> fail()))
                          .hasMessage("planted");
                      var unused =
                          catchThrowable(
                              () ->
                                  in(
                                      FIRST,
                                      inner,
                                      ours -> {
                                        write(FIRST, inner, key);
                                        append(key);
                                        beforeCommit(ours::setRollbackOnly);
                                      }));
                    }))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(messages(key)).isEqualTo(rows(FIRST, key));
  }

  /** They are of a data source without a ledger: their own commit fails. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void eventsOfTheOuterOnesEntitiesAreNoneOfTheInner(Kind inner) {
    String key = "events-" + inner;
    assertThatThrownBy(
            () ->
                in(
                    SECOND,
                    Kind.JPA,
                    status -> {
                      entities(SECOND).persist(new Parcel(key + "-outer"));
                      entities(SECOND).flush();
                      in(FIRST, inner, ours -> append(key));
                      assertThat(messages(key)).containsExactly(key);
                    }))
        .hasStackTraceContaining("OUT-001");
    assertThat(messages(key)).containsExactly(key);
  }

  /** A manager that an application tells once more is heard once. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void withinOneOfEntitiesTheInnerMayBeToldTwice(Kind inner) {
    String key = "twice-" + inner;
    ConfigurableTransactionManager manager =
        shop.context().getBean(FIRST + inner.suffix, ConfigurableTransactionManager.class);
    Collection<TransactionExecutionListener> once =
        List.copyOf(manager.getTransactionExecutionListeners());
    once.forEach(manager::addListener);
    try {
      in(
          SECOND,
          Kind.JPA,
          status -> {
            write(SECOND, Kind.JPA, key + "-outer");
            in(
                FIRST,
                inner,
                ours -> {
                  append(key);
                  write(FIRST, inner, key);
                });
          });
    } finally {
      manager.setTransactionExecutionListeners(once);
    }
    assertThat(rows(FIRST, key)).containsExactly(key);
    assertThat(messages(key)).containsExactly(key);
  }

  /** As a web request has it: the entity manager was bound before the transaction began. */
  @Test
  void withAnOpenSessionInViewEventsKeepTheirPlaceInTheOrder() {
    EntityManagerFactory factory = factory(FIRST);
    EntityManager open = factory.createEntityManager();
    TransactionSynchronizationManager.bindResource(factory, new EntityManagerHolder(open));
    try {
      in(
          FIRST,
          Kind.JPA,
          status -> {
            entities(FIRST).persist(new Parcel("view-1"));
            append("view-2");
          });
    } finally {
      TransactionSynchronizationManager.unbindResource(factory);
      open.close();
    }
    assertThat(messages("view")).containsExactly("view-1", "view-2");
  }

  private void in(String name, Kind kind, Consumer<TransactionStatus> work) {
    transaction(name, kind).executeWithoutResult(work);
  }

  private TransactionTemplate transaction(String name, Kind kind) {
    return new TransactionTemplate(
        shop.context().getBean(name + kind.suffix, PlatformTransactionManager.class));
  }

  private void write(String name, Kind kind, String id) {
    if (kind == Kind.JPA) {
      entities(name).persist(new Crate(id));
    } else {
      jdbc(name).sql("INSERT INTO crate (id, pieces) VALUES (?, 0)").param(id).update();
    }
  }

  private void flush(String name, Kind kind) {
    if (kind == Kind.JPA) {
      entities(name).flush();
    }
  }

  private void append(String key) {
    shop.bean(Outbox.class).append(Message.to("crates", "crate.noted").key(key).build());
  }

  private EntityManager entities(String name) {
    return Objects.requireNonNull(
        EntityManagerFactoryUtils.getTransactionalEntityManager(factory(name)));
  }

  private EntityManagerFactory factory(String name) {
    return shop.context().getBean(name + "Factory", EntityManagerFactory.class);
  }

  private JdbcClient jdbc(String name) {
    return JdbcClient.create(shop.context().getBean(name, DataSource.class));
  }

  private List<String> rows(String name, String key) {
    return jdbc(name)
        .sql("SELECT id FROM crate WHERE id LIKE ? ORDER BY id")
        .param(key + "%")
        .query(String.class)
        .list();
  }

  private List<String> messages(String key) {
    return jdbc(FIRST)
        .sql("SELECT message_key FROM outledger_message WHERE message_key LIKE ? ORDER BY position")
        .param(key + "%")
        .query(String.class)
        .list();
  }

  private static void fail() {
    throw new IllegalStateException("planted");
  }

  private static void beforeCommit(Runnable work) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void beforeCommit(boolean readOnly) {
            work.run();
          }
        });
  }
}
