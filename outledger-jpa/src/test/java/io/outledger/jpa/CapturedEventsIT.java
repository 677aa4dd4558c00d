// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.EntityManager;
import jakarta.persistence.FlushModeType;
import java.util.List;
import org.hibernate.FlushMode;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;

/** What is captured of entities that the entity manager knows. */
class CapturedEventsIT {

  private final Shop shop = Shop.emptied();

  /** The POM gives the newest Hibernate to one of two runs: each is to have its own. */
  @Test
  void theseTestsRunOnTheHibernateThatTheyAreMeantFor() {
    assertThat(Hibernate.class.getPackage().getImplementationVersion())
        .isEqualTo(System.getProperty("outledger.hibernate"));
  }

  @Test
  void newChangedAndRemovedEntitiesAreCaptured() {
    shop.inTransaction(em -> em.persist(Order.placed("o-1")));
    shop.inTransaction(em -> em.find(Order.class, "o-1").rename("renamed"));
    shop.inTransaction(
        em -> {
          Order order = em.find(Order.class, "o-1");
          order.happens("cancelled");
          em.remove(order);
        });
    assertThat(shop.messages()).containsExactly("o-1 placed", "o-1 renamed", "o-1 cancelled");
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
  }

  @Test
  void eventsOfSeveralEntitiesAreAppendedInTheOrderRaisedAndInOneStatement() {
    shop.inTransaction(
        em -> {
          Order first = Order.placed("o-1");
          Order second = Order.placed("o-2");
          first.happens("paid");
          em.persist(second);
          em.flush();
          em.persist(first);
          second.rename("late");
          Invoice invoice = new Invoice(7);
          em.persist(invoice);
          first.rename("last");
        });
    assertThat(shop.messages())
        .containsExactly(
            "o-1 placed", "o-2 placed", "o-1 paid", "o-2 late", "invoice of 7", "o-1 last");
    assertThat(shop.statements()).isOne();
  }

  @Test
  void severalSavesAndFlushesCaptureAnEventOnce() {
    shop.inTransaction(
        em -> {
          Order order = Order.placed("o-1");
          em.persist(order);
          em.flush();
          em.persist(order);
          em.flush();
          em.merge(order);
          order.rename("again");
          em.flush();
          em.flush();
        });
    assertThat(shop.messages()).containsExactly("o-1 placed", "o-1 again");
  }

  @Test
  void theSameEventRaisedTwiceIsTwoMessages() {
    ShopEvent event = new ShopEvent.Happened("o-1", "same");
    shop.inTransaction(
        em -> {
          Order order = new Order("o-1", "new");
          em.persist(order);
          order.raises(event);
          em.flush();
          order.raises(event);
        });
    assertThat(shop.messages()).containsExactly("o-1 same", "o-1 same");
  }

  @Test
  void anEventAfterPersistIsCaptured() {
    shop.inTransaction(
        em -> {
          Order order = new Order("o-1", "new");
          em.persist(order);
          order.happens("after persist");
        });
    assertThat(shop.messages()).containsExactly("o-1 after persist");
  }

  @Test
  void anEventIsCapturedWhereNoColumnHasChanged() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    List<String> written = shop.query("SELECT xmin FROM shop_order");
    shop.inTransaction(em -> em.find(Order.class, "o-1").happens("seen"));
    assertThat(shop.messages()).containsExactly("o-1 seen");
    assertThat(shop.query("SELECT xmin FROM shop_order")).isEqualTo(written);
  }

  @Test
  void anEventIsCapturedWhereOnlyAChildWasAdded() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(em -> em.find(Order.class, "o-1").addLine("pen"));
    assertThat(shop.messages()).containsExactly("o-1 line pen");
    assertThat(shop.query("SELECT article FROM shop_order_line")).containsExactly("pen");
  }

  @Test
  void eventsThatCallbacksRaiseDuringTheFlushAreCaptured() {
    shop.inTransaction(
        em -> {
          Order order = new Order("o-1", "new");
          order.talkAtFlush();
          em.persist(order);
          em.flush();
          order.renameSilently("other");
        });
    assertThat(shop.messages())
        .containsExactly("o-1 after insert", "o-1 before update", "o-1 after update");
  }

  @Test
  void anEntityThatAnotherPersistsAndOneWithAnIdOfTheDatabaseAreCaptured() {
    shop.inTransaction(em -> em.persist(new Invoice(5)));
    shop.inTransaction(
        em -> em.createQuery("FROM Invoice", Invoice.class).getResultList().get(0).pay());
    assertThat(shop.messages()).containsExactly("invoice of 5", "invoice paid");
  }

  @Test
  void anEntityThatIsPersistedAndRemovedInOneTransactionTellsOfBoth() {
    shop.inTransaction(
        em -> {
          Order order = Order.placed("o-1");
          em.persist(order);
          em.flush();
          em.remove(order);
          em.flush();
          order.happens("gone");
          em.flush();
        });
    assertThat(shop.messages()).containsExactly("o-1 placed", "o-1 gone");
  }

  @Test
  void whatIsRaisedThroughALazyProxyIsRaisedByTheEntity() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(em -> em.persist(new Order("o-2", "new")));
    shop.inTransaction(
        em -> {
          Order proxy = em.getReference(Order.class, "o-1");
          assertThat(Hibernate.isInitialized(proxy)).isFalse();
          proxy.happens("through the proxy");
          em.find(Order.class, "o-2").raiseFor(proxy, "by another");
          assertThat(proxy.domainEvents().list()).hasSize(2);
        });
    assertThat(shop.messages()).containsExactly("o-1 through the proxy", "o-1 by another");
  }

  @Test
  void aQueryThatFlushesNothingCapturesNothingYet() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(
        em -> {
          em.find(Order.class, "o-1").rename("changed");
          em.createQuery("FROM Invoice", Invoice.class).getResultList();
          em.createQuery("FROM Order", Order.class).getResultList();
        });
    assertThat(shop.messages()).containsExactly("o-1 changed");
  }

  @Test
  void entitiesForgetTheirEventsWhenTheTransactionHasCommitted() {
    Order order = Order.placed("o-1");
    try (EntityManager em = shop.factory.createEntityManager()) {
      Shop.inTransaction(
          em,
          same -> {
            em.persist(order);
            em.flush();
            assertThat(order.domainEvents().list()).hasSize(1);
          });
      assertThat(order.domainEvents().list()).isEmpty();
      Shop.inTransaction(em, same -> order.rename("in a second transaction"));
    }
    assertThat(shop.messages()).containsExactly("o-1 placed", "o-1 in a second transaction");
    assertThat(shop.outbox.capture().sessions()).isZero();
  }

  @Test
  void withoutAFlushNeitherTheChangeNorItsEventTakesEffect() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(
        em -> {
          em.unwrap(Session.class).setHibernateFlushMode(FlushMode.MANUAL);
          em.find(Order.class, "o-1").rename("unflushed");
        });
    assertThat(shop.messages()).isEmpty();
    shop.inTransaction(
        em -> {
          em.setFlushMode(FlushModeType.COMMIT);
          em.find(Order.class, "o-1").rename("flushed by the commit");
        });
    assertThat(shop.messages()).containsExactly("o-1 flushed by the commit");
  }

  @Test
  void anEventWhoseFlushComesInALaterTransactionIsAppendedThere() {
    try (EntityManager em = shop.factory.createEntityManager()) {
      em.unwrap(Session.class).setHibernateFlushMode(FlushMode.MANUAL);
      em.getTransaction().begin();
      em.persist(Order.placed("o-1"));
      em.getTransaction().commit();
      assertThat(shop.messages()).isEmpty();
      em.getTransaction().begin();
      em.flush();
      em.getTransaction().commit();
    }
    assertThat(shop.messages()).hasSize(1);
  }

  @Test
  void anEventThatIsDiscardedBeforeTheFlushIsNotAppended() {
    shop.inTransaction(
        em -> {
          Order order = Order.placed("o-1");
          order.domainEvents().discard();
          order.happens("kept");
          em.persist(order);
        });
    assertThat(shop.messages()).containsExactly("o-1 kept");
  }

  @Test
  void oneEventLeavesAsNoneOneOrSeveralMessages() {
    shop.inTransaction(
        em -> {
          Order order = new Order("o-1", "new");
          em.persist(order);
          order.raises(new ShopEvent.Internal("o-1"));
          order.raises(new ShopEvent.Doubled("o-1"));
          order.happens("once");
        });
    assertThat(shop.messages()).containsExactly("o-1 first", "o-1 second", "o-1 once");
    assertThat(shop.statements()).isOne();
  }

  @Test
  void bulkStatementsTouchNoEntityAndCaptureNothing() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(em -> em.createQuery("UPDATE Order SET name = 'bulk'").executeUpdate());
    assertThat(shop.query("SELECT name FROM shop_order")).isEqualTo(List.of("bulk"));
    assertThat(shop.messages()).isEmpty();
  }
}
