// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import jakarta.persistence.EntityManager;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;

/** Changes that are written without a flush, and changes that a refresh undoes before one. */
class UnflushedEventsIT {

  private final Shop shop = Shop.emptied();

  @Test
  void anEntityThatIsInsertedAtPersistIsCapturedWithoutAFlush() {
    try (EntityManager em = manual()) {
      Invoice invoice = new Invoice(5);
      Shop.inTransaction(
          em,
          same -> {
            em.persist(invoice);
            invoice.pay();
          });
      assertThat(shop.query("SELECT amount FROM shop_invoice")).containsExactly("5");
      assertThat(shop.messages()).containsExactly("invoice of 5");
      Shop.inTransaction(em, EntityManager::flush);
    }
    assertThat(shop.query("SELECT amount FROM shop_invoice")).containsExactly("0");
    assertThat(shop.messages()).containsExactly("invoice of 5", "invoice paid");
  }

  @Test
  void anEntityThatIsInsertedAtMergeIsCapturedWithoutAFlush() {
    try (EntityManager em = manual()) {
      Shop.inTransaction(em, same -> em.merge(new Invoice(6)));
    }
    assertThat(shop.query("SELECT amount FROM shop_invoice")).containsExactly("6");
    assertThat(shop.messages()).containsExactly("invoice of 6");
  }

  @Test
  void anEntityThatIsMergedWithoutAFlushIsNotCaptured() {
    Invoice invoice = new Invoice(5);
    shop.inTransaction(em -> em.persist(invoice));
    invoice.pay();
    try (EntityManager em = manual()) {
      Shop.inTransaction(em, same -> em.merge(invoice));
    }
    assertThat(shop.query("SELECT amount FROM shop_invoice")).containsExactly("5");
    assertThat(shop.messages()).containsExactly("invoice of 5");
  }

  @Test
  void whatIsWrittenLaterIsAtItsPlaceInTheOrderAllTheSame() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    try (EntityManager em = manual()) {
      Shop.inTransaction(
          em,
          same -> {
            em.find(Order.class, "o-1").rename("first");
            em.persist(new Invoice(5));
            shop.outbox.capture().settle(em);
            em.flush();
          });
    }
    assertThat(shop.messages()).containsExactly("o-1 first", "invoice of 5");
  }

  @Test
  void refreshingBeforeTheFlushIsRefused() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(
        em -> {
          Order order = em.find(Order.class, "o-1");
          order.rename("undone");
          assertRefused(() -> em.refresh(order));
          assertThat(em.getTransaction().getRollbackOnly()).isTrue();
        });
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void refreshingWithoutATransactionIsRefusedToo() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    try (EntityManager em = shop.factory.createEntityManager()) {
      Order order = em.find(Order.class, "o-1");
      order.rename("undone");
      assertRefused(() -> em.refresh(order));
    }
  }

  @Test
  void refreshingAfterTheFlushOrADiscardIsFine() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(
        em -> {
          Order order = em.find(Order.class, "o-1");
          order.rename("flushed");
          em.flush();
          em.refresh(order);
          order.rename("discarded");
          order.domainEvents().discard();
          em.refresh(order);
        });
    assertThat(shop.messages()).containsExactly("o-1 flushed");
    assertThat(shop.query("SELECT name FROM shop_order")).containsExactly("flushed");
  }

  private static void assertRefused(Runnable refresh) {
    assertThatThrownBy(refresh::run)
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-031")
        .hasMessageContaining("was refreshed");
  }

  private EntityManager manual() {
    EntityManager em = shop.factory.createEntityManager();
    em.unwrap(Session.class).setHibernateFlushMode(FlushMode.MANUAL);
    return em;
  }
}
