// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Outbox;
import io.outledger.servers.Await;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.contract.shop.MailQueued;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.OrderService;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A handler that harms its own session is at fault, and no outage that holds up all others. */
public abstract class HarmfulHandlersContract {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** Creates it. */
  protected HarmfulHandlersContract() {}

  /** Does something harmful for orders whose id says what. */
  static final class Stock {

    private final JdbcClient jdbc;
    private final Outbox outbox;
    private final TransactionTemplate readOnly;
    private final TransactionTemplate nested;

    Stock(JdbcClient jdbc, Outbox outbox, PlatformTransactionManager manager) {
      this.jdbc = jdbc;
      this.outbox = outbox;
      this.readOnly = new TransactionTemplate(manager);
      readOnly.setReadOnly(true);
      readOnly.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
      this.nested = new TransactionTemplate(manager);
      nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
    }

    @OutboxHandler("stock")
    void reserve(OrderPlaced order) {
      switch (order.orderId()) {
        case "ends-its-session" ->
            jdbc.sql("SELECT pg_terminate_backend(pg_backend_pid())").query().singleValue();
        case "ends-at-commit" -> jdbc.sql("INSERT INTO ending VALUES (1)").update();
        case "needs-a-file" -> jdbc.sql("LOAD 'nosuchlib'").update();
        case "undoes-its-failure" ->
            nested.executeWithoutResult(status -> jdbc.sql("LOAD 'nosuchlib'").update());
        case "appends-read-only" ->
            readOnly.executeWithoutResult(status -> outbox.append(new MailQueued("m")));
        default ->
            jdbc.sql("INSERT INTO audits (order_id) VALUES (?)").param(order.orderId()).update();
      }
    }
  }

  /** Its handler. */
  @Configuration(proxyBeanMethods = false)
  static class Harmful {

    @Bean
    Stock stock(JdbcClient jdbc, Outbox outbox, PlatformTransactionManager manager) {
      return new Stock(jdbc, outbox, manager);
    }
  }

  @Test
  void itsMessagesAreParkedAndTheOthersContinue() {
    try (RunningShop shop =
        RunningShop.start(List.of(Harmful.class), "outledger.schema-initialization=always")) {
      JdbcClient jdbc = shop.bean(JdbcClient.class);
      jdbc.sql(
              """
              CREATE TABLE ending (id int);
              CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN
                PERFORM pg_terminate_backend(pg_backend_pid());
                RETURN NULL;
              END $$;
              CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON ending
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ends()\
              """)
          .update();
      OrderService orders = shop.bean(OrderService.class);
      List<String> harmful =
          List.of(
              "ends-its-session",
              "ends-at-commit",
              "needs-a-file",
              "undoes-its-failure",
              "appends-read-only");
      Stream.concat(harmful.stream(), Stream.of("well")).forEach(id -> orders.place(id, 1));
      Await.until(
          () -> "parked: " + parked(jdbc),
          SOON,
          () -> parked(jdbc).containsAll(harmful) && audits(jdbc).contains("well"));
      assertThat(parked(jdbc)).doesNotContain("well");
      assertThat(
              jdbc.sql(
                      "SELECT message_key FROM outledger_parked"
                          + " WHERE error LIKE '%ended or failed 5 or more times in a row%'")
                  .query(String.class)
                  .list())
          .containsExactlyInAnyOrderElementsOf(harmful.subList(0, 4));
      assertThat(audits(jdbc)).containsExactly("well");
    }
  }

  /** Work before the commit that needs another database. */
  static final class Audit {

    private final JdbcClient jdbc;

    Audit(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    @OutboxHandler("audit")
    void audit(OrderPlaced order) {
      jdbc.sql("INSERT INTO audits (order_id) VALUES (?)").param(order.orderId()).update();
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
              askAnother(order.orderId());
            }
          });
    }

    // As Spring says it where a callback opens a connection, and where it begins a transaction.
    private void askAnother(String how) {
      jdbc.sql("SELECT nextval('asked')").query().singleValue();
      SQLException down = new SQLException("Connection to 127.0.0.1:1 refused", "08001");
      throw how.equals("connects")
          ? new CannotGetJdbcConnectionException("audit", down)
          : new CannotCreateTransactionException("audit", down);
    }
  }

  /** Its handler. */
  @Configuration(proxyBeanMethods = false)
  static class Auditing {

    @Bean
    Audit audit(JdbcClient jdbc) {
      return new Audit(jdbc);
    }
  }

  @Test
  void outageOfAnotherDatabaseBeforeTheCommitStaysOneHoweverLongItLasts() {
    try (RunningShop one = auditing();
        RunningShop other = auditing()) {
      one.bean(OrderService.class).place("connects", 1);
      other.bean(OrderService.class).place("begins a transaction", 1);
      assertStaysAnOutage(one);
      assertStaysAnOutage(other);
    }
  }

  private static RunningShop auditing() {
    RunningShop shop =
        RunningShop.start(List.of(Auditing.class), "outledger.schema-initialization=always");
    shop.bean(JdbcClient.class).sql("CREATE SEQUENCE asked").update();
    return shop;
  }

  private static void assertStaysAnOutage(RunningShop shop) {
    JdbcClient jdbc = shop.bean(JdbcClient.class);
    Await.until(
        () -> "asked: " + asked(jdbc) + ", parked: " + parked(jdbc), SOON, () -> asked(jdbc) > 7);
    assertThat(parked(jdbc)).isEmpty();
    assertThat(audits(jdbc)).isEmpty();
  }

  private static long asked(JdbcClient jdbc) {
    return jdbc.sql("SELECT last_value FROM asked").query(Long.class).single();
  }

  private static List<String> parked(JdbcClient jdbc) {
    return jdbc.sql("SELECT message_key FROM outledger_parked").query(String.class).list();
  }

  private static List<String> audits(JdbcClient jdbc) {
    return jdbc.sql("SELECT order_id FROM audits").query(String.class).list();
  }
}
