// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.Delivery;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Scheduled messages in the transactions of Spring's own manager for JDBC. */
class SpringScheduleIT {

  private static final Delivery LATER = Delivery.after(Duration.ofDays(1));

  private final PGSimpleDataSource dataSource = database();
  private final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
  private final SpringTransactions transactions = new SpringTransactions(dataSource);
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private Outledger outledger;
  private SpringOutbox outbox;

  private static PGSimpleDataSource database() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    return dataSource;
  }

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
  void messageIsScheduledAndCancelledInTheTransaction() {
    UUID first = template().execute(status -> outbox.append(message("a"), LATER));
    template().execute(status -> outbox.append(message("b"), LATER.named("b")));
    assertThat(waiting()).isEqualTo(2);
    template()
        .executeWithoutResult(
            status -> {
              assertThat(outbox.cancel(first)).isTrue();
              assertThat(outbox.cancel("b")).isTrue();
              outbox.append(message("c"), LATER);
              status.setRollbackOnly();
            });
    assertThat(waiting()).isEqualTo(2);
    assertThat(template().<Boolean>execute(status -> outbox.cancel("b"))).isTrue();
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void rollBackToASavepointForgetsWhatWasScheduledSince() {
    TransactionTemplate nested = new TransactionTemplate(manager);
    nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
    template()
        .executeWithoutResult(
            outer -> {
              outbox.append(message("a"), LATER);
              nested.executeWithoutResult(
                  inner -> {
                    outbox.append(message("b"), LATER);
                    inner.setRollbackOnly();
                  });
            });
    assertThat(jdbc.queryForList("SELECT message_key FROM outledger_scheduled", String.class))
        .containsExactly("a");
  }

  @Test
  void noTransactionAndOneThatIsReadOnlyAreRefused() {
    assertRefused(() -> outbox.append(message("a"), LATER));
    assertRefused(() -> outbox.cancel("a"));
    TransactionTemplate readOnly = template();
    readOnly.setReadOnly(true);
    readOnly.executeWithoutResult(
        status -> {
          assertRefused(() -> outbox.append(message("a"), LATER));
          assertRefused(() -> outbox.cancel(new UUID(1, 2)));
        });
    assertThat(waiting()).isZero();
  }

  private static void assertRefused(Runnable call) {
    assertThatExceptionOfType(OutledgerException.class)
        .isThrownBy(call::run)
        .matches(e -> e.code() == ErrorCode.NO_TRANSACTION);
  }

  private TransactionTemplate template() {
    return new TransactionTemplate(manager);
  }

  private static Message message(String key) {
    return Message.to("orders", "order.placed").key(key).build();
  }

  private int waiting() {
    Integer count = jdbc.queryForObject("SELECT count(*) FROM outledger_scheduled", Integer.class);
    return count == null ? 0 : count;
  }
}
