// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.RollbackException;
import org.junit.jupiter.api.Test;

/** Events of entities that leave the entity manager, or come back: captured or refused. */
class DetachedEventsIT {

  private final Shop shop = Shop.emptied();

  @Test
  void theEventsOfADetachedEntityAreCapturedWhenItIsMerged() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    Order detached = loaded("o-1");
    detached.rename("while detached");
    shop.inTransaction(
        em -> {
          Order merged = em.merge(detached);
          assertThat(merged).isNotSameAs(detached);
          merged.happens("after the merge");
          em.flush();
          em.flush();
        });
    assertThat(shop.messages()).containsExactly("o-1 while detached", "o-1 after the merge");
    assertThat(detached.domainEvents().list()).isEmpty();
    assertThat(shop.query("SELECT name FROM shop_order")).containsExactly("while detached");
  }

  @Test
  void theEventsOfANewEntityWithAnAssignedIdAreCapturedOnBothCopies() {
    Order order = new Order("o-1", "copied");
    order.happens("made");
    shop.inTransaction(em -> em.merge(order));
    assertThat(shop.messages()).containsExactly("o-1 made", "o-1 inserted");
    assertThat(order.domainEvents().list()).isEmpty();
  }

  @Test
  void anEventRaisedOnTheDetachedEntityAfterTheMergeIsRefused() {
    Order order = new Order("o-1", "new");
    assertThatThrownBy(
            () ->
                shop.inTransaction(
                    em -> {
                      em.merge(order);
                      order.rename("too late");
                    }))
        .isInstanceOf(RollbackException.class)
        .rootCause()
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-031 1 domain event would be lost")
        .hasMessageContaining("ShopEvent$Happened");
    assertThat(shop.messages()).isEmpty();
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
  }

  @Test
  void clearingBeforeTheFlushIsRefused() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    try (EntityManager em = shop.factory.createEntityManager()) {
      em.getTransaction().begin();
      em.find(Order.class, "o-1").rename("unflushed");
      assertThatThrownBy(em::clear)
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageStartingWith("OUT-031")
          .hasMessageContaining("was cleared");
      assertThat(em.getTransaction().getRollbackOnly()).isTrue();
      em.getTransaction().rollback();
    }
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void clearingANewEntityOrAMergedOneBeforeTheFlushIsRefused() {
    Order order = Order.placed("o-1");
    assertThatThrownBy(
            () ->
                shop.inTransaction(
                    em -> {
                      em.persist(order);
                      em.clear();
                    }))
        .hasMessageStartingWith("OUT-031");
    assertThatThrownBy(
            () ->
                shop.inTransaction(
                    em -> {
                      em.merge(order);
                      em.clear();
                    }))
        .hasMessageStartingWith("OUT-031");
    shop.inTransaction(em -> em.merge(order));
    assertThat(shop.messages()).containsExactly("o-1 placed");
  }

  @Test
  void aQueryThatFlushesNothingDoesNotMakeClearingSafe() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    assertThatThrownBy(
            () ->
                shop.inTransaction(
                    em -> {
                      em.find(Order.class, "o-1").rename("unflushed");
                      em.createQuery("FROM Invoice", Invoice.class).getResultList();
                      em.clear();
                    }))
        .hasMessageStartingWith("OUT-031");
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void clearingAfterTheFlushIsFineAndTheEventsAreCapturedOnce() {
    Order order = Order.placed("o-1");
    shop.inTransaction(
        em -> {
          em.persist(order);
          em.flush();
          em.clear();
          order.rename("detached in between");
          em.merge(order);
          em.flush();
          em.clear();
        });
    assertThat(shop.messages()).containsExactly("o-1 placed", "o-1 detached in between");
    assertThat(order.domainEvents().list()).isEmpty();
  }

  @Test
  void clearingAfterTheEventsWereDiscardedIsFine() {
    shop.inTransaction(
        em -> {
          Order order = Order.placed("o-1");
          em.persist(order);
          order.domainEvents().discard();
          em.clear();
          order.happens("merged, and discarded");
          em.merge(order);
          order.domainEvents().discard();
        });
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void aReusedEntityIsCapturedAgainAfterARollBack() {
    Order order = Order.placed("o-1");
    try (EntityManager em = shop.factory.createEntityManager()) {
      em.getTransaction().begin();
      em.persist(order);
      em.flush();
      em.clear();
      em.getTransaction().rollback();
      Shop.inTransaction(em, again -> again.merge(order));
    }
    assertThat(shop.messages()).containsExactly("o-1 placed");
  }

  @Test
  void detachingBeforeTheFlushIsRefusedAndAfterItIsFine() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    assertThatThrownBy(
            () ->
                shop.inTransaction(
                    em -> {
                      Order order = em.find(Order.class, "o-1");
                      order.rename("unflushed");
                      em.detach(order);
                    }))
        .hasMessageStartingWith("OUT-031")
        .hasMessageContaining("was detached");
    shop.inTransaction(
        em -> {
          Order order = em.find(Order.class, "o-1");
          order.rename("flushed");
          em.flush();
          em.detach(order);
        });
    assertThat(shop.messages()).containsExactly("o-1 flushed");
  }

  @Test
  void detachingTheCopyOfAMergedEntityBeforeTheFlushIsRefused() {
    Order order = Order.placed("o-1");
    assertThatThrownBy(() -> shop.inTransaction(em -> em.detach(em.merge(order))))
        .hasMessageStartingWith("OUT-031");
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void anEntityLoadedBeforeTheTransactionIsCapturedAndGuardedToo() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    try (EntityManager em = shop.factory.createEntityManager()) {
      Order order = em.find(Order.class, "o-1");
      order.rename("before the transaction");
      em.getTransaction().begin();
      assertThatThrownBy(em::clear).hasMessageStartingWith("OUT-031");
      em.getTransaction().rollback();
      order.domainEvents().discard();
      Order again = em.find(Order.class, "o-1");
      again.rename("rolled back");
      em.getTransaction().begin();
      em.getTransaction().rollback();
      em.getTransaction().begin();
      em.merge(again);
      em.getTransaction().commit();
    }
    assertThat(shop.messages()).containsExactly("o-1 rolled back");
    try (EntityManager em = shop.factory.createEntityManager()) {
      em.find(Order.class, "o-1").rename("captured");
      Shop.inTransaction(em, same -> {});
    }
    assertThat(shop.messages()).containsExactly("o-1 rolled back", "o-1 captured");
  }

  @Test
  void manyEntitiesThatAreFlushedAndClearedAreNotKept() {
    shop.inTransaction(
        em -> {
          for (int i = 0; i < 5; i++) {
            em.persist(new Order("o-" + i, "new"));
            em.flush();
            em.clear();
          }
          em.persist(Order.placed("o-last"));
        });
    assertThat(shop.messages()).containsExactly("o-last placed");
  }

  private Order loaded(String id) {
    try (EntityManager em = shop.factory.createEntityManager()) {
      return em.find(Order.class, id);
    }
  }
}
