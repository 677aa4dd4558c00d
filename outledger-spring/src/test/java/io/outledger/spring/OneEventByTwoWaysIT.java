// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Delivery;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An event object that the application appends and that also comes by itself, as where it is
 * published: one message, whichever is first.
 */
class OneEventByTwoWaysIT {

  private final PGSimpleDataSource dataSource = database();
  private final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
  private final SpringTransactions transactions = new SpringTransactions(dataSource);
  private final Message event = message("a");
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
  void appendedAndThenPublished() {
    required(
        () -> {
          outbox.append(event);
          outbox.appendOnce(event);
        });
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void scheduledAndThenPublishedItIsScheduledAlone() {
    required(
        () -> {
          outbox.append(event, Delivery.after(Duration.ofDays(1)));
          outbox.appendOnce(event);
        });
    assertThat(keys()).isEmpty();
    assertThat(
            new JdbcTemplate(dataSource)
                .queryForList("SELECT message_key FROM outledger_scheduled", String.class))
        .containsExactly("a");
  }

  @Test
  void publishedAndThenAppendedAmongOthersWithTheIdsOfAll() {
    required(
        () -> {
          outbox.appendOnce(event);
          Message before = message("b");
          Message after = message("c");
          assertThat(outbox.append(List.of(before, event, after)))
              .containsExactly(before.id(), event.id(), after.id());
          outbox.appendOnce(event);
        });
    assertThat(keys()).containsExactly("a", "b", "c");
  }

  @Test
  void appendedTwiceOnPurposeItIsTwoMessages() {
    required(
        () -> {
          outbox.appendOnce(event);
          outbox.append(event);
          outbox.append(event);
        });
    required(() -> outbox.append(List.of(event, event)));
    required(
        () -> {
          outbox.appendOnce(event);
          assertThat(outbox.append(List.of(event, event))).hasSize(2);
        });
    assertThat(keys()).containsExactly("a", "a", "a", "a", "a", "a");
  }

  @Test
  void anEqualObjectIsAnotherOne() {
    required(
        () -> {
          outbox.append(event);
          outbox.appendOnce(message("a"));
        });
    assertThat(keys()).containsExactly("a", "a");
  }

  @Test
  void whatASavepointTakesBackIsAppendedAgain() {
    required(
        () -> {
          undone(() -> outbox.append(event));
          outbox.appendOnce(event);
          undone(() -> outbox.append(event));
          outbox.append(event);
        });
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void anAppendThatFailsTakesNothing() {
    required(
        () -> {
          outbox.appendOnce(event);
          assertThatThrownBy(() -> outbox.append(List.of(event, "no event")))
              .isInstanceOf(InvalidMessageException.class);
          outbox.append(event);
        });
    assertThat(keys()).containsExactly("a");
  }

  @Test
  void eachTransactionAppendsItsOwn() {
    required(
        () -> {
          outbox.append(event);
          in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, () -> outbox.appendOnce(event));
        });
    assertThat(keys()).containsExactly("a", "a");
  }

  /** Each message is in the one or the other. */
  @Test
  void eachLedgerAppendsItsOwn() {
    new JdbcTemplate(dataSource).execute("CREATE SCHEMA other");
    Schema.of(dataSource, "other").apply(dataSource);
    try (Outledger other = Outledger.builder(dataSource).schema("other").build()) {
      SpringOutbox beside = new SpringOutbox(other, transactions);
      required(
          () -> {
            outbox.append(event);
            beside.appendOnce(event);
          });
    }
    assertThat(keys()).containsExactly("a");
    assertThat(keysOf("other.outledger_message")).containsExactly("a");
  }

  private void undone(Runnable work) {
    assertThatThrownBy(
            () ->
                in(
                    TransactionDefinition.PROPAGATION_NESTED,
                    () -> {
                      work.run();
                      throw new IllegalStateException("undone");
                    }))
        .hasMessage("undone");
  }

  private void required(Runnable work) {
    in(TransactionDefinition.PROPAGATION_REQUIRED, work);
  }

  private void in(int propagation, Runnable work) {
    new TransactionTemplate(manager, new DefaultTransactionDefinition(propagation))
        .executeWithoutResult(status -> work.run());
  }

  private List<String> keys() {
    return keysOf("outledger_message");
  }

  private List<String> keysOf(String table) {
    return new JdbcTemplate(dataSource)
        .queryForList("SELECT message_key FROM " + table + " ORDER BY position", String.class);
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
