// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalApplicationListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What is published through Spring is appended, or its publisher gets an error; nothing is lost.
 */
class PublishedEventsIT {

  private final PGSimpleDataSource dataSource = database();
  private final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
  private final SpringTransactions transactions = new SpringTransactions(dataSource);
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private final SimpleApplicationEventMulticaster multicaster =
      new SimpleApplicationEventMulticaster();
  private final GenericApplicationContext context = new GenericApplicationContext();
  private Outledger outledger;
  private SpringOutbox outbox;

  /** What is published. */
  private record Placed(String key) {}

  /** What is published in the way of Spring's first versions. */
  private static final class OldPlaced extends ApplicationEvent {

    private final String key;

    private OldPlaced(String key) {
      super("test");
      this.key = key;
    }
  }

  /** A listener that comes before those without an order. */
  private static final class Failing
      implements ApplicationListener<PayloadApplicationEvent<Placed>>, Ordered {

    @Override
    public void onApplicationEvent(PayloadApplicationEvent<Placed> published) {
      throw new IllegalStateException("a listener");
    }

    @Override
    public int getOrder() {
      return 0;
    }
  }

  @BeforeEach
  void start() {
    manager.addListener(transactions);
    Schema.of(dataSource).apply(dataSource);
    outledger = Outledger.builder(dataSource).build();
    EventRouting routing =
        (events, registered) ->
            registered.apply(events.stream().map(each -> message(key(each))).toList());
    outbox = new SpringOutbox(outledger, transactions, UnaryOperator.identity(), routing);
    context
        .getBeanFactory()
        .registerSingleton(
            GenericApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME, multicaster);
    context.addApplicationListener(
        new PublishedEvents(
            event -> event instanceof Placed || event instanceof OldPlaced, () -> outbox));
    context.refresh();
  }

  @AfterEach
  void close() {
    context.close();
    threads.shutdownNow();
    outledger.close();
  }

  @Test
  void anEventOfSpringsOwnKindIsAppended() {
    required(() -> context.publishEvent(new OldPlaced("a")));
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void anEventThatIsPublishedAndAppendedIsOneMessage() {
    Placed first = new Placed("a");
    Placed second = new Placed("b");
    required(
        () -> {
          outbox.append(first);
          context.publishEvent(first);
          context.publishEvent(second);
          outbox.append(second);
        });
    assertThat(keys()).containsExactly("a", "b");
  }

  @Test
  void aMulticasterWithAnExecutorDoesNotTakeItFromItsTransaction() {
    multicaster.setTaskExecutor(threads);
    required(() -> context.publishEvent(new Placed("a")));
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void anotherListenerThatFailsDoesNotLoseIt() {
    context.addApplicationListener(new Failing());
    required(
        () ->
            assertThatThrownBy(() -> context.publishEvent(new Placed("a")))
                .hasMessage("a listener"));
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void whatIsPublishedInCallbacksBeforeTheCommitIsAppended() {
    required(
        () ->
            TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                  @Override
                  public void beforeCommit(boolean readOnly) {
                    context.publishEvent(new Placed("before the commit"));
                  }

                  @Override
                  public void beforeCompletion() {
                    context.publishEvent(new Placed("before the completion"));
                  }
                }));
    assertThat(keys()).containsExactly("before the commit", "before the completion");
  }

  @Test
  void whatListenersOfThePhaseBeforeTheCommitPublishIsAppended() {
    context.addApplicationListener(
        TransactionalApplicationListener.forPayload(
            TransactionPhase.BEFORE_COMMIT,
            (Placed placed) -> {
              if (placed.key().equals("a")) {
                context.publishEvent(new Placed("b"));
              }
            }));
    required(() -> context.publishEvent(new Placed("a")));
    assertThat(keys()).containsExactly("a", "b");
  }

  @Test
  void whatIsPublishedAfterTheCommitIsRefused() {
    assertThatThrownBy(
            () ->
                required(
                    () ->
                        TransactionSynchronizationManager.registerSynchronization(
                            new TransactionSynchronization() {
                              @Override
                              public void afterCommit() {
                                context.publishEvent(new Placed("late"));
                              }
                            })))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("OUT-001")
        .hasMessageContaining("REQUIRES_NEW");
    assertThat(keys()).isEmpty();
  }

  @Test
  void whatIsPublishedAfterTheCommitInATransactionOfItsOwnIsAppended() {
    required(
        () ->
            TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                  @Override
                  public void afterCommit() {
                    in(
                        TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                        () -> context.publishEvent(new Placed("late")));
                  }

                  @Override
                  public void afterCompletion(int status) {
                    in(
                        TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                        () -> context.publishEvent(new Placed("later")));
                  }
                }));
    assertThat(keys()).containsExactly("late", "later");
  }

  @Test
  void aTransactionOfItsOwnAppendsItsOwnAlsoOfOneObject() {
    Placed placed = new Placed("a");
    assertThatThrownBy(
            () ->
                required(
                    () -> {
                      context.publishEvent(placed);
                      in(
                          TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                          () -> {
                            context.publishEvent(placed);
                            context.publishEvent(placed);
                          });
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void anotherThreadIsRefusedUnlessItHasATransaction() {
    required(
        () -> {
          assertThatThrownBy(() -> elsewhere(() -> context.publishEvent(new Placed("a"))))
              .isInstanceOf(CompletionException.class)
              .cause()
              .hasMessageContaining("OUT-001");
          elsewhere(() -> required(() -> context.publishEvent(new Placed("b"))));
        });
    assertThat(keys()).containsExactly("b");
  }

  @Test
  void theTransactionOfAnotherDataSourceIsRefusedAlsoWithinOneOfOurs() {
    TransactionTemplate other = new TransactionTemplate(new JdbcTransactionManager(database()));
    assertThatThrownBy(
            () -> other.executeWithoutResult(tx -> context.publishEvent(new Placed("a"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("not one of this outbox's data source");
    required(
        () -> {
          assertThatThrownBy(
                  () -> other.executeWithoutResult(tx -> context.publishEvent(new Placed("b"))))
              .hasMessageContaining("not one of this outbox's data source");
          context.publishEvent(new Placed("c"));
        });
    assertThat(keys()).containsExactly("c");
  }

  @Test
  void ourTransactionWithinOneOfAnotherDataSourceAppends() {
    TransactionTemplate other = new TransactionTemplate(new JdbcTransactionManager(database()));
    other.executeWithoutResult(tx -> required(() -> context.publishEvent(new Placed("a"))));
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void anEventThatCannotBeAppendedRollsBackAlsoWhereItsFailureIsIgnored() {
    multicaster.setErrorHandler(failure -> {});
    jdbc.execute("CREATE TABLE business (id int)");
    assertThatThrownBy(
            () ->
                required(
                    () -> {
                      jdbc.update("INSERT INTO business VALUES (1)");
                      context.publishEvent(new Placed(""));
                    }))
        .hasMessageContaining("OUT-014");
    assertThat(jdbc.queryForObject("SELECT count(*) FROM business", Integer.class)).isZero();
  }

  @Test
  void aRollBackToASavepointUndoesTheFailureOfAnEventAfterIt() {
    multicaster.setErrorHandler(failure -> {});
    required(
        () -> {
          context.publishEvent(new Placed("a"));
          TransactionTemplate nested = new TransactionTemplate(manager);
          nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
          nested.executeWithoutResult(
              status -> {
                context.publishEvent(new Placed(""));
                status.setRollbackOnly();
              });
        });
    assertThat(keys()).containsExactly("a");
  }

  private void required(Runnable work) {
    in(TransactionDefinition.PROPAGATION_REQUIRED, work);
  }

  private void in(int propagation, Runnable work) {
    TransactionTemplate template = new TransactionTemplate(manager);
    template.setPropagationBehavior(propagation);
    template.executeWithoutResult(status -> work.run());
  }

  private void elsewhere(Runnable work) {
    CompletableFuture.runAsync(work, threads).join();
  }

  private List<String> keys() {
    return jdbc.queryForList(
        "SELECT message_key FROM outledger_message ORDER BY position", String.class);
  }

  private static String key(Object event) {
    return event instanceof OldPlaced old ? old.key : ((Placed) event).key();
  }

  private static Message message(String key) {
    return Message.to("orders", "order.placed").key(key).build();
  }

  private static PGSimpleDataSource database() {
    PGSimpleDataSource made = new PGSimpleDataSource();
    made.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    return made;
  }
}
