// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Outbox;
import io.outledger.servers.CapturedLog;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.RollbackException;
import jakarta.transaction.Synchronization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hibernate.engine.spi.SessionImplementor;
import org.junit.jupiter.api.Test;

/** What happens while a transaction is being committed. */
class LastMomentIT {

  private final Shop shop = Shop.emptied();

  @Test
  void whatALaterSynchronizationFlushesIsAppended() {
    shop.inTransaction(
        em -> {
          Order order = Order.placed("o-1");
          em.persist(order);
          atCommit(
              em,
              () -> {
                order.rename("late");
                em.flush();
              });
        });
    assertThat(shop.messages()).containsExactly("o-1 placed", "o-1 late");
  }

  @Test
  void whatALaterSynchronizationAppendsIsAppended() {
    shop.inTransaction(
        em -> {
          em.persist(Order.placed("o-1"));
          atCommit(em, () -> shop.outbox.append(em, new ShopEvent.Happened("o-1", "late")));
        });
    assertThat(shop.messages()).containsExactly("o-1 placed", "o-1 late");
  }

  @Test
  void aSynchronizationThatFlushesTheFirstEventOfAllHasItAppended() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
    shop.inTransaction(
        em ->
            atCommit(
                em,
                () -> {
                  em.find(Order.class, "o-1").rename("late");
                  em.flush();
                }));
    assertThat(shop.query("SELECT name FROM shop_order")).containsExactly("late");
    assertThat(shop.messages()).containsExactly("o-1 late");
  }

  @Test
  void aSynchronizationThatAppendsTheFirstMessageOfAllHasItAppended() {
    shop.inTransaction(
        em -> atCommit(em, () -> shop.outbox.append(em, new ShopEvent.Happened("o-1", "late"))));
    assertThat(shop.messages()).containsExactly("o-1 late");
  }

  @Test
  void aLaterFlushWhoseEventsCannotBeAppendedFailsTheCommit() {
    Order order = Order.placed("o-1");
    assertThatThrownBy(
            () ->
                shop.inTransaction(
                    em -> {
                      em.persist(order);
                      atCommit(
                          em,
                          () -> {
                            order.raises(new ShopEvent.Unregistered("o-1"));
                            em.flush();
                          });
                    }))
        .isInstanceOf(RollbackException.class)
        .rootCause()
        .hasMessageStartingWith("OUT-011");
    assertThat(shop.messages()).isEmpty();
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
  }

  @Test
  void aTransactionWhoseSettlingFailedCannotCommit() {
    AtomicBoolean fails = new AtomicBoolean(true);
    Outbox outbox =
        events -> {
          if (fails.getAndSet(false)) {
            throw new IllegalStateException("the outbox fails once");
          }
          return events.stream().map(each -> UUID.randomUUID()).toList();
        };
    try (EntityManagerFactory factory = shop.factory("shop");
        EntityManager em = factory.createEntityManager()) {
      DomainEventCapture capture = DomainEventCapture.install(factory, outbox);
      Shop.inTransaction(
          em,
          same -> {
            em.persist(Order.placed("o-1"));
            assertThatThrownBy(() -> capture.settle(em)).hasMessage("the outbox fails once");
            assertThat(em.getTransaction().getRollbackOnly()).isTrue();
          });
    }
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
  }

  @Test
  void underJtaTheReasonIsLoggedWhichTransactionManagersMayHide() throws Exception {
    OneThreadJta jta = new OneThreadJta();
    CapturedLog.start();
    try (EntityManagerFactory factory = factory(jta)) {
      Outbox outbox =
          events -> {
            throw new IllegalStateException("the outbox fails");
          };
      DomainEventCapture.install(factory, outbox);
      jta.begin();
      try (EntityManager em = factory.createEntityManager()) {
        em.persist(Order.placed("o-1"));
        assertThatThrownBy(jta::commit).isInstanceOf(jakarta.transaction.RollbackException.class);
      }
    }
    assertThat(CapturedLog.stop())
        .contains("the transaction is rolled back")
        .contains("the outbox fails");
  }

  /** It comes after Hibernate's own, which has asked all observers by then. */
  @Test
  void underJtaWhatALaterSynchronizationFlushesIsAppended() throws Exception {
    OneThreadJta jta = new OneThreadJta();
    List<Object> appended = new ArrayList<>();
    Outbox outbox =
        events -> {
          appended.addAll(events);
          return events.stream().map(each -> UUID.randomUUID()).toList();
        };
    try (EntityManagerFactory factory = factory(jta)) {
      DomainEventCapture.install(factory, outbox);
      jta.begin();
      try (EntityManager em = factory.createEntityManager()) {
        Order order = Order.placed("o-1");
        em.persist(order);
        jta.registerSynchronization(
            before(
                () -> {
                  order.rename("late");
                  em.flush();
                }));
        jta.commit();
      }
    }
    assertThat(appended)
        .containsExactly(
            new ShopEvent.Happened("o-1", "placed"), new ShopEvent.Happened("o-1", "late"));
  }

  private EntityManagerFactory factory(OneThreadJta jta) {
    Map<String, Object> properties =
        Map.of(
            "jakarta.persistence.transactionType",
            "JTA",
            "jakarta.persistence.jtaDataSource",
            shop.dataSource(),
            "hibernate.transaction.jta.platform",
            jta,
            "hibernate.connection.handling_mode",
            "DELAYED_ACQUISITION_AND_HOLD");
    return shop.factory("shop", properties);
  }

  private static void atCommit(EntityManager em, Runnable work) {
    em.unwrap(SessionImplementor.class)
        .getTransactionCoordinator()
        .getLocalSynchronizations()
        .registerSynchronization(before(work));
  }

  private static Synchronization before(Runnable work) {
    return new Synchronization() {
      @Override
      public void beforeCompletion() {
        work.run();
      }

      @Override
      public void afterCompletion(int status) {}
    };
  }
}
