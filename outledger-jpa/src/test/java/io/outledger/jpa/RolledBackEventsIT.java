// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.OutledgerException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.RollbackException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hibernate.Session;
import org.hibernate.jdbc.ReturningWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What does not commit leaves neither entity nor message, and the entity keeps its events. */
class RolledBackEventsIT {

  private final Shop shop = Shop.emptied();

  @Test
  void aRollBackLeavesNothingAndARetryFindsTheEvents() {
    Order order = Order.placed("o-1");
    try (EntityManager em = shop.factory.createEntityManager()) {
      em.getTransaction().begin();
      em.persist(order);
      em.flush();
      em.getTransaction().rollback();
    }
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
    assertThat(shop.messages()).isEmpty();
    assertThat(order.domainEvents().list()).hasSize(1);
    shop.inTransaction(em -> em.merge(order));
    assertThat(shop.messages()).containsExactly("o-1 placed");
    assertThat(order.domainEvents().list()).isEmpty();
  }

  @Test
  void aFailedFlushLeavesNothingAndARetryFindsTheEvents() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "first")));
    Order twin = Order.placed("o-1");
    assertThatThrownBy(
            () ->
                shop.inTransaction(
                    em -> {
                      em.persist(Order.placed("o-2"));
                      em.persist(twin);
                      em.flush();
                    }))
        .isInstanceOf(PersistenceException.class);
    assertThat(shop.messages()).isEmpty();
    assertThat(twin.domainEvents().list()).hasSize(1);
  }

  @Test
  void afterAFailedFlushTheEntityManagerMayBeCleared() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "first")));
    Order twin = Order.placed("o-1");
    try (EntityManager em = shop.factory.createEntityManager()) {
      em.getTransaction().begin();
      em.persist(twin);
      assertThatThrownBy(em::flush).isInstanceOf(PersistenceException.class);
      em.clear();
      em.getTransaction().rollback();
    }
    assertThat(twin.domainEvents().list()).hasSize(1);
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void anOptimisticLockFailureLeavesNothingAndTheEntityKeepsItsEvents() {
    Invoice invoice = new Invoice(5);
    shop.inTransaction(em -> em.persist(invoice));
    List<Invoice> late = new ArrayList<>();
    assertThatThrownBy(
            () ->
                shop.inTransaction(
                    em -> {
                      late.add(em.find(Invoice.class, invoice.id()));
                      late.get(0).pay();
                      shop.inTransaction(other -> other.find(Invoice.class, invoice.id()).pay());
                    }))
        .isInstanceOf(RollbackException.class)
        .hasCauseInstanceOf(OptimisticLockException.class);
    assertThat(shop.messages()).containsExactly("invoice of 5", "invoice paid");
    assertThat(late.get(0).domainEvents().list()).hasSize(1);
    shop.inTransaction(em -> em.find(Invoice.class, invoice.id()).reopen(7));
    assertThat(shop.messages()).containsExactly("invoice of 5", "invoice paid", "invoice reopened");
  }

  @Test
  void aTransactionInsideAnotherIsOneOfItsOwn() {
    assertThatThrownBy(
            () ->
                shop.inTransaction(
                    outer -> {
                      outer.persist(Order.placed("o-outer"));
                      outer.flush();
                      shop.inTransaction(inner -> inner.persist(Order.placed("o-inner")));
                      throw new IllegalStateException("the outer one fails");
                    }))
        .hasMessage("the outer one fails");
    assertThat(shop.messages()).containsExactly("o-inner placed");
    assertThat(shop.query("SELECT id FROM shop_order")).containsExactly("o-inner");
  }

  @Test
  void anInnerTransactionThatFailsLeavesTheOuterOneAlone() {
    shop.inTransaction(
        outer -> {
          outer.persist(Order.placed("o-outer"));
          assertThatThrownBy(
                  () ->
                      shop.inTransaction(
                          inner -> {
                            inner.persist(Order.placed("o-inner"));
                            inner.flush();
                            throw new IllegalStateException("the inner one fails");
                          }))
              .hasMessage("the inner one fails");
        });
    assertThat(shop.messages()).containsExactly("o-outer placed");
  }

  @Test
  void workOnAnotherThreadHasATransactionOfItsOwn() {
    shop.inTransaction(
        outer -> {
          outer.persist(Order.placed("o-here"));
          CompletableFuture.runAsync(
                  () -> shop.inTransaction(em -> em.persist(Order.placed("o-there"))))
              .join();
          assertThat(shop.messages()).containsExactly("o-there placed");
        });
    assertThat(shop.messages()).containsExactly("o-there placed", "o-here placed");
  }

  @Test
  void whatIsRolledBackToASavepointIsDropped() {
    DomainEventCapture capture = shop.outbox.capture();
    Order order = Order.placed("o-1");
    shop.inTransaction(
        em -> {
          em.persist(order);
          int mark = capture.mark(em);
          Savepoint savepoint = connection(em, c -> c.setSavepoint());
          em.persist(Order.placed("o-2"));
          order.happens("undone");
          em.flush();
          connection(
              em,
              c -> {
                c.rollback(savepoint);
                return true;
              });
          capture.rollBackTo(em, mark);
          order.happens("done");
        });
    assertThat(shop.messages()).containsExactly("o-1 placed", "o-1 done");
    assertThat(shop.query("SELECT id FROM shop_order")).containsExactly("o-1");
    assertThat(order.domainEvents().list())
        .containsExactly(new ShopEvent.Happened("o-1", "undone"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatARemovedEntityRaisesGoesWithItsSavepoint(boolean isMarkedByAFlush) {
    DomainEventCapture capture = shop.outbox.capture();
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(
        em -> {
          Order order = em.find(Order.class, "o-1");
          em.remove(order);
          em.flush();
          order.happens("removed");
          int mark = isMarkedByAFlush ? capture.mark(em) : capture.markFlushed(em);
          order.happens("undone");
          em.flush();
          capture.rollBackTo(em, mark);
          order.happens("done");
        });
    assertThat(shop.messages()).containsExactly("o-1 removed", "o-1 done");
  }

  @Test
  void whatWasRolledBackToASavepointIsCapturedWhereTheEntityIsMergedAgain() {
    DomainEventCapture capture = shop.outbox.capture();
    Order order = Order.placed("o-1");
    shop.inTransaction(
        em -> {
          int mark = capture.mark(em);
          Savepoint savepoint = connection(em, c -> c.setSavepoint());
          em.persist(order);
          em.flush();
          connection(
              em,
              c -> {
                c.rollback(savepoint);
                return true;
              });
          capture.rollBackTo(em, mark);
          em.clear();
          em.merge(order);
        });
    assertThat(shop.messages()).containsExactly("o-1 placed");
    assertThat(order.domainEvents().list()).isEmpty();
  }

  @Test
  void whatWasRolledBackToASavepointIsNotCapturedInTheNextTransaction() {
    DomainEventCapture capture = shop.outbox.capture();
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    try (EntityManager em = shop.factory.createEntityManager()) {
      Order order = em.find(Order.class, "o-1");
      Shop.inTransaction(
          em,
          same -> {
            int mark = capture.mark(em);
            Savepoint savepoint = connection(em, c -> c.setSavepoint());
            order.happens("undone");
            em.flush();
            connection(
                em,
                c -> {
                  c.rollback(savepoint);
                  return true;
                });
            capture.rollBackTo(em, mark);
          });
      Shop.inTransaction(em, same -> order.happens("done"));
      Shop.inTransaction(em, same -> {});
      assertThat(shop.messages()).containsExactly("o-1 done");
      em.clear();
      Shop.inTransaction(em, same -> em.merge(order));
    }
    assertThat(shop.messages()).containsExactly("o-1 done", "o-1 undone");
  }

  @Test
  void anEventThatIsNotRegisteredFailsTheCommitAndNothingIsWritten() {
    assertCommitFails(new ShopEvent.Unregistered("o-1"), "OUT-011");
  }

  @Test
  void anEventThatIsNoEventOrIsRefusedFailsTheCommitAndNothingIsWritten() {
    assertCommitFails("just a text", "OUT-011");
    assertCommitFails(new ShopEvent.Refused("o-1"), "OUT-024");
    assertCommitFails(new ShopEvent.Happened("", "without key"), "OUT-012");
  }

  private void assertCommitFails(Object event, String code) {
    Order order = Order.placed("o-1");
    order.raises(event);
    assertThatThrownBy(() -> shop.inTransaction(em -> em.persist(order)))
        .isInstanceOf(RollbackException.class)
        .rootCause()
        .isInstanceOf(OutledgerException.class)
        .hasMessageStartingWith(code);
    assertThat(shop.messages()).isEmpty();
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
    assertThat(order.domainEvents().list()).hasSize(2);
  }

  private static <T> T connection(EntityManager em, ReturningWork<T> work) {
    return em.unwrap(Session.class).doReturningWork(work);
  }
}
