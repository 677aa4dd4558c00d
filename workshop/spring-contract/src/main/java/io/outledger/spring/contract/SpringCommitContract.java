// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outledger.inbox.InboxOutcome;
import io.outledger.servers.Await;
import io.outledger.spring.SpringInbox;
import io.outledger.spring.contract.parcels.Parcel;
import io.outledger.spring.contract.parcels.ParcelApplication;
import io.outledger.spring.contract.parcels.Parcels;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A transaction of JPA that a callback before its commit marks or fails leaves its rows and their
 * messages, or neither.
 */
public abstract class SpringCommitContract {

  private static final String[] PROPERTIES = {
    "spring.jpa.hibernate.ddl-auto=create",
    "outledger.schema-initialization=always",
    "outledger.relay.enabled=false"
  };

  /** Creates it. */
  protected SpringCommitContract() {}

  /** The status, which Spring no longer looks at when callbacks before the commit are called. */
  @Test
  void aStatusThatIsMarkedInACallbackBeforeTheCommitLeavesBothOrNeither() {
    try (RunningShop shop = RunningShop.of(ParcelApplication.class, PROPERTIES)) {
      var unused =
          catchThrowable(
              () ->
                  new TransactionTemplate(shop.bean(PlatformTransactionManager.class))
                      .executeWithoutResult(
                          status -> {
                            shop.bean(Parcels.class).save(new Parcel("p-1"));
                            beforeCommit(status::setRollbackOnly);
                          }));
      assertThat(messages(shop)).hasSize((int) shop.bean(Parcels.class).count());
    }
  }

  @Test
  void aTransactionalFailureInACallbackBeforeTheCommitLeavesBothOrNeither() {
    try (RunningShop shop = RunningShop.of(ParcelApplication.class, PROPERTIES)) {
      assertThatThrownBy(
              () ->
                  inTransaction(
                      shop,
                      () -> {
                        shop.bean(Parcels.class).saveAndFlush(new Parcel("p-1"));
                        beforeCommit(
                            () -> {
                              throw new UnexpectedRollbackException("of an inner one");
                            });
                      }))
          .isInstanceOf(RuntimeException.class);
      // What the starter itself reads is over in a moment.
      Await.until(
          "no transaction stays open",
          Duration.ofSeconds(30),
          () ->
              shop.bean(JdbcClient.class)
                  .sql(
                      "SELECT query FROM pg_stat_activity WHERE datname = current_database()"
                          + " AND state = 'idle in transaction'")
                  .query(String.class)
                  .list()
                  .isEmpty());
      assertThat(messages(shop)).hasSize((int) shop.bean(Parcels.class).count());
    }
  }

  /** As above, in a transaction that has an inbox row: the message comes again. */
  @Test
  void aMessageIsProcessedAgainAfterATransactionalFailureInACallbackBeforeTheCommit()
      throws Exception {
    try (RunningShop shop = RunningShop.of(ParcelApplication.class, PROPERTIES)) {
      SpringInbox inbox = shop.bean(SpringInbox.class);
      assertThatThrownBy(
              () ->
                  inbox.process(
                      "billing",
                      "api",
                      "m-1",
                      () ->
                          beforeCommit(
                              () -> {
                                throw new UnexpectedRollbackException("of an inner one");
                              })))
          .isInstanceOf(RuntimeException.class);
      CompletableFuture<InboxOutcome> again =
          CompletableFuture.supplyAsync(() -> inbox.process("billing", "api", "m-1", () -> {}));
      assertThat(again.get(10, TimeUnit.SECONDS)).isEqualTo(InboxOutcome.PROCESSED);
    }
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

  private static List<String> messages(RunningShop shop) {
    return shop
        .bean(JdbcClient.class)
        .sql("SELECT convert_from(payload, 'UTF8') FROM outledger_message ORDER BY position")
        .query(String.class)
        .list()
        .stream()
        .map(json -> json.replaceAll("\\{\"id\":\"(.*)\",\"place\":\"(.*)\"}", "$1 $2"))
        .toList();
  }

  private static void inTransaction(RunningShop shop, Runnable work) {
    new TransactionTemplate(shop.bean(PlatformTransactionManager.class))
        .executeWithoutResult(status -> work.run());
  }
}
