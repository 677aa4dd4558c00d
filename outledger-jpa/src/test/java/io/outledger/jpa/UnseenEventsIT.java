// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.persistence.EntityManager;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.stream.IntStream;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.Test;

/** Changes that were written, and whose events nobody looked for. */
class UnseenEventsIT {

  private final Shop shop = Shop.emptied();

  @Test
  void whatARemovedEntityRaisesAfterTheFlushOfItsRemovalIsCaptured() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(
        em -> {
          Order order = em.find(Order.class, "o-1");
          em.remove(order);
          em.createQuery("FROM Order", Order.class).getResultList(); // flushes
          order.happens("removed");
        });
    assertThat(shop.messages()).containsExactly("o-1 removed");
  }

  /** The same without a query: two flushes, as a framework's commit does. */
  @Test
  void whatARemovedEntityRaisesAfterAnExplicitFlushIsCaptured() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(
        em -> {
          Order order = em.find(Order.class, "o-1");
          em.remove(order);
          em.flush();
          order.happens("removed");
        });
    assertThat(shop.messages()).containsExactly("o-1 removed");
  }

  /** At the commit nobody else holds the entity: Hibernate has forgotten it, too. */
  @Test
  void whatARemovedEntityRaisedIsCapturedThoughGarbageIsCollectedBeforeTheCommit() {
    shop.inTransaction(
        em -> {
          em.persist(new Order("o-1", "new"));
          em.persist(new Order("o-2", "new"));
        });
    shop.inTransaction(
        em -> {
          removeAndRaise(em);
          WeakReference<Object> canary = new WeakReference<>(new Object());
          while (canary.get() != null) {
            System.gc();
          }
        });
    assertThat(shop.messages()).containsExactly("o-1 removed");
  }

  private static void removeAndRaise(EntityManager em) {
    Order order = em.find(Order.class, "o-1");
    em.remove(order);
    em.flush();
    em.find(Order.class, "o-2"); // Hibernate holds the last one that it has loaded
    em.flush(); // and what it has flushed
    order.happens("removed");
  }

  @Test
  void whatARemovedEntityRaisesIsCapturedWhereTheApplicationAloneFlushes() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(
        em -> {
          em.unwrap(Session.class).setHibernateFlushMode(FlushMode.MANUAL);
          Order order = em.find(Order.class, "o-1");
          em.remove(order);
          em.flush();
          order.happens("removed");
        });
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
    assertThat(shop.messages()).containsExactly("o-1 removed");
  }

  @Test
  void anAnnotatedEntitysEventWhoseFlushComesInALaterTransactionIsAppendedThere() {
    Basket basket = new Basket("b-1");
    try (EntityManager em = shop.factory.createEntityManager()) {
      em.unwrap(Session.class).setHibernateFlushMode(FlushMode.MANUAL);
      em.getTransaction().begin();
      em.persist(basket);
      em.flush();
      basket.add(3);
      em.getTransaction().commit();
      assertThat(shop.messages()).containsExactly("b-1 filled");
      em.getTransaction().begin();
      em.flush();
      em.getTransaction().commit();
    }
    assertThat(shop.query("SELECT articles FROM shop_basket")).containsExactly("3");
    assertThat(shop.messages()).containsExactly("b-1 filled", "b-1 added 3");
  }

  @Test
  void aStatelessSessionWorksAndCapturesNothing() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    try (StatelessSession stateless =
        shop.factory.unwrap(SessionFactory.class).openStatelessSession()) {
      stateless.beginTransaction();
      Order order = stateless.get(Order.class, "o-1");
      order.rename("stateless");
      stateless.update(order);
      stateless.insert(new Order("o-2", "new"));
      stateless.insert(new Invoice(3));
      List<Order> all =
          stateless.createQuery("FROM Order o LEFT JOIN FETCH o.lines", Order.class).list();
      stateless.delete(all.get(0));
      stateless.getTransaction().commit();
    }
    assertThat(shop.query("SELECT id FROM shop_order")).hasSize(1);
    assertThat(shop.messages()).isEmpty();
  }

  /** A managed entity that is handed to a method with a transaction of its own. */
  @Test
  void anEventThatARunningTransactionHasCapturedIsRefusedToAnother() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(
        outer -> {
          Order order = outer.find(Order.class, "o-1");
          order.happens("seen");
          outer.flush();
          assertThatThrownBy(() -> shop.inTransaction(inner -> inner.merge(order)))
              .rootCause()
              .hasMessageContaining("OUT-031 1 domain event would be appended twice");
        });
    assertThat(shop.messages()).containsExactly("o-1 seen");
  }

  @Test
  void anEventWhoseTransactionWasRolledBackIsCapturedByAnother() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    try (EntityManager first = shop.factory.createEntityManager()) {
      first.getTransaction().begin();
      Order order = first.find(Order.class, "o-1");
      order.happens("seen");
      first.flush();
      first.getTransaction().rollback();
      first.getTransaction().begin();
      shop.inTransaction(second -> second.merge(order));
      first.getTransaction().commit();
    }
    assertThat(shop.messages()).containsExactly("o-1 seen");
  }

  /** docs/jpa.md: the call fails, and the transaction can only roll back. */
  @Test
  void aTransactionWhoseClearOrDetachWasRefusedLeavesNothing() {
    shop.inTransaction(
        em -> {
          em.persist(new Invoice(3)); // inserted at once
          em.persist(Order.placed("o-1"));
          assertThat(catchThrowable(em::clear)).hasMessageContaining("OUT-031");
        });
    shop.inTransaction(
        em -> {
          Order order = Order.placed("o-2");
          em.persist(order);
          assertThat(catchThrowable(() -> em.detach(order))).hasMessageContaining("OUT-031");
        });
    assertThat(shop.messages()).isEmpty();
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
    assertThat(shop.query("SELECT id FROM shop_invoice")).isEmpty();
  }

  /** Each append by hand looks at every entity that was loaded. */
  @Test
  void anAppendByHandDoesNotAskEveryEntityThatWasLoaded() {
    List<Box> boxes = IntStream.range(0, 20).mapToObj(i -> new Box("b-" + i)).toList();
    shop.inTransaction(
        em -> {
          boxes.forEach(em::persist);
          em.flush();
          int before = boxes.stream().mapToInt(Box::reads).sum();
          for (int i = 0; i < 20; i++) {
            shop.outbox.append(em, new ShopEvent.Happened("h-" + i, "by hand"));
          }
          assertThat(boxes.stream().mapToInt(Box::reads).sum() - before).isLessThanOrEqualTo(40);
        });
  }
}
