// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A capture that hands events to an outbox of somebody else's, as a framework's is. */
class CaptureIntoOutboxIT {

  private static final EntityManagerFactory FACTORY = Shop.emptied().factory("shop");
  private static final List<List<?>> APPENDED = new ArrayList<>();
  private static final DomainEventCapture CAPTURE =
      DomainEventCapture.install(FACTORY, CaptureIntoOutboxIT::append);

  private final Shop shop = Shop.emptied();

  private static List<UUID> append(Collection<?> events) {
    if (events.contains(happened("too much"))) {
      throw new IllegalStateException("full");
    }
    APPENDED.add(List.copyOf(events));
    return List.of();
  }

  @BeforeEach
  void forget() {
    APPENDED.clear();
  }

  @AfterAll
  static void close() {
    FACTORY.close();
  }

  @Test
  void settlingFlushesAndHandsEverythingOverAtOnce() {
    try (EntityManager em = FACTORY.createEntityManager()) {
      em.getTransaction().begin();
      Order order = Order.placed("o-1");
      em.persist(order);
      em.flush();
      order.rename("changed");
      assertThat(APPENDED).isEmpty();
      CAPTURE.settle(em);
      assertThat(APPENDED).containsExactly(List.of(happened("placed"), happened("changed")));
      CAPTURE.settle(em);
      em.getTransaction().commit();
      assertThat(APPENDED).hasSize(1);
      assertThat(order.domainEvents().list()).isEmpty();
    }
    assertThat(CAPTURE.sessions()).isZero();
  }

  @Test
  void whatComesAfterSettlingIsHandedOverBeforeTheCommit() {
    try (EntityManager em = FACTORY.createEntityManager()) {
      em.getTransaction().begin();
      Order order = Order.placed("o-1");
      em.persist(order);
      CAPTURE.settle(em);
      order.rename("late");
      em.getTransaction().commit();
    }
    assertThat(APPENDED).containsExactly(List.of(happened("placed")), List.of(happened("late")));
  }

  @Test
  void anOutboxThatFailsRollsTheTransactionBack() {
    Order order = Order.placed("o-1");
    order.happens("too much");
    try (EntityManager em = FACTORY.createEntityManager()) {
      assertThatThrownBy(() -> Shop.inTransaction(em, same -> em.persist(order)))
          .rootCause()
          .hasMessage("full");
    }
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
  }

  @Test
  void settlingDoesNotFlushInModeManual() {
    try (EntityManager em = FACTORY.createEntityManager()) {
      em.unwrap(Session.class).setHibernateFlushMode(FlushMode.MANUAL);
      em.getTransaction().begin();
      em.persist(Order.placed("o-1"));
      CAPTURE.settle(em);
      em.getTransaction().commit();
    }
    assertThat(APPENDED).isEmpty();
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
  }

  @Test
  void anotherProvidersEntityManagerIsRefused() {
    EntityManager foreign =
        (EntityManager)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {EntityManager.class},
                (proxy, method, arguments) -> {
                  throw new PersistenceException("cannot unwrap");
                });
    assertThatThrownBy(() -> CAPTURE.settle(foreign))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021 domain events are captured from Hibernate ORM alone");
  }

  private static ShopEvent happened(String what) {
    return new ShopEvent.Happened("o-1", what);
  }
}
