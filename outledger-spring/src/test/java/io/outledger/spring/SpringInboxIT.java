// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.event.ContextPropagator;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** How an inbox takes part in a transaction that is running already. */
class SpringInboxIT {

  private final PGSimpleDataSource dataSource = database();
  private final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
  private final TransactionTemplate transaction = new TransactionTemplate(manager);
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private final Tenant tenant = new Tenant();
  private final Outledger outledger = Outledger.builder(dataSource).context(tenant).build();
  private final SpringInbox inbox = inbox();

  /** The tenant of a thread, which a transaction has to know when it begins. */
  private static final class Tenant implements ContextPropagator {

    private final ThreadLocal<String> current = ThreadLocal.withInitial(() -> "none");

    @Override
    public Map<String, String> capture() {
      return Map.of();
    }

    @Override
    public void restore(Map<String, String> headers, Handling handling) throws Exception {
      assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isFalse();
      current.set(headers.getOrDefault("tenant", "none"));
      try {
        handling.run();
      } finally {
        current.remove();
      }
    }
  }

  /** Stores for whom it has taken a message. */
  static class Taker {

    private final JdbcTemplate jdbc;
    private final Tenant tenant;

    Taker(JdbcTemplate jdbc, Tenant tenant) {
      this.jdbc = jdbc;
      this.tenant = tenant;
    }

    @Inboxed(consumer = "c")
    public void take(Received message) {
      jdbc.update("INSERT INTO effects VALUES (?)", message.id() + " of " + tenant.current.get());
    }
  }

  private static PGSimpleDataSource database() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    Schema.of(dataSource).apply(dataSource);
    new JdbcTemplate(dataSource).execute("CREATE TABLE effects (message text)");
    return dataSource;
  }

  private SpringInbox inbox() {
    SpringTransactions transactions = new SpringTransactions(dataSource);
    manager.addListener(transactions);
    return new SpringInbox(outledger, transactions, manager);
  }

  @AfterEach
  void close() {
    outledger.close();
  }

  /** As a listener of batches does, which notes what failed and goes on. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void workThatFailsInAJoinedTransactionIsNotCommittedByACallerThatCatches(boolean marksTheWhole) {
    manager.setGlobalRollbackOnParticipationFailure(marksTheWhole);
    assertThatThrownBy(() -> transaction.executeWithoutResult(status -> failAndCatch()))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(effects()).isZero();
    InboxOutcome again = transaction.execute(status -> inbox.process("c", "s", "m", this::effect));
    assertThat(again).isEqualTo(InboxOutcome.PROCESSED);
    assertThat(effects()).isOne();
  }

  /** A message of a broker's client tells its headers, and they its tenant. */
  @Test
  void anInboxedMethodRunsForTheTenantOfItsMessage() {
    MessageIdentity received =
        new MessageIdentity() {
          @Override
          public boolean knows(Class<?> parameter) {
            return parameter == Received.class;
          }

          @Override
          public Received of(Object message) {
            return (Received) message;
          }
        };
    ProxyFactory proxies = new ProxyFactory(new Taker(jdbc, tenant));
    proxies.setProxyTargetClass(true);
    proxies.addAdvice(new InboxedInterceptor(() -> inbox, List.of(received)));
    Taker taker = (Taker) proxies.getProxy();
    taker.take(message("m-1", "a"));
    taker.take(message("m-2", "b"));
    taker.take(message("m-2", "b"));
    assertThat(jdbc.queryForList("SELECT message FROM effects ORDER BY 1", String.class))
        .containsExactly("m-1 of a", "m-2 of b");
  }

  private static Received message(String id, String tenant) {
    Map<String, String> headers = Map.of("tenant", tenant);
    return new Received("s", id, "orders", null, "order", 1, new byte[0], headers, null, "", "");
  }

  private void failAndCatch() {
    assertThatThrownBy(
            () ->
                inbox.process(
                    "c",
                    "s",
                    "m",
                    () -> {
                      effect();
                      throw new IllegalStateException("planted");
                    }))
        .hasMessage("planted")
        .hasNoSuppressedExceptions();
  }

  private void effect() {
    jdbc.update("INSERT INTO effects VALUES ('m')");
  }

  private int effects() {
    return jdbc.queryForList("SELECT message FROM effects").size();
  }
}
