// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.OutledgerException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.LockModeType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Domain events inside their transaction, beside the notifications that leave it. */
class DomainEventListenersIT {

  // One factory for all tests, whose one listener asks those of the test that runs.
  private static final EntityManagerFactory FACTORY = Shop.emptied().factory("shop");
  private static DomainEventListeners current = new DomainEventListeners();
  private static final JpaOutbox OUTBOX =
      JpaOutbox.install(
          FACTORY,
          Shop.emptied().outledger,
          listeners -> listeners.on(Object.class, (event, em) -> current.tell(event, em)));

  private final Shop shop = Shop.emptied();

  @AfterAll
  static void close() {
    FACTORY.close();
  }

  @Test
  void aListenerSeesTheEventAndItsFlushedChangeBeforeTheCommit() {
    List<String> seen = new ArrayList<>();
    with(
        listeners ->
            listeners
                .on(
                    ShopEvent.Internal.class,
                    (event, em) ->
                        seen.add(event.key() + " " + count(em) + " " + shop.messages().size()))
                .on(ShopEvent.class, (event, em) -> seen.add("any " + event.key())),
        factory -> {
          Order order = new Order("o-1", "new");
          order.raises(new ShopEvent.Internal("o-1"));
          inTransaction(factory, em -> em.persist(order));
        });
    assertThat(seen).containsExactly("o-1 1 0", "any o-1");
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void whatAListenerChangesAndRaisesCommitsWithItInOneStatement() {
    with(
        listeners ->
            listeners.on(
                ShopEvent.Happened.class,
                (event, em) -> {
                  if (event.what().equals("placed")) {
                    em.persist(new Invoice(9));
                    em.find(Order.class, event.key()).rename("billed");
                  }
                }),
        factory -> inTransaction(factory, em -> em.persist(Order.placed("o-1"))));
    assertThat(shop.messages()).containsExactly("o-1 placed", "invoice of 9", "o-1 billed");
    assertThat(shop.statements()).isOne();
    assertThat(shop.query("SELECT name FROM shop_order")).containsExactly("billed");
  }

  @Test
  void aListenerThatFailsRollsEverythingBack() {
    Order order = Order.placed("o-1");
    with(
        listeners ->
            listeners.on(
                ShopEvent.class,
                (event, em) -> {
                  throw new IOException("no");
                }),
        factory ->
            assertThatThrownBy(() -> inTransaction(factory, em -> em.persist(order)))
                .rootCause()
                .isInstanceOf(IOException.class));
    assertThat(shop.messages()).isEmpty();
    assertThat(shop.query("SELECT id FROM shop_order")).isEmpty();
    assertThat(order.domainEvents().list()).hasSize(1);
  }

  @Test
  void whatAListenerLocksOptimisticallyIsVerifiedBeforeTheCommit() {
    Invoice invoice = new Invoice(5);
    shop.inTransaction(em -> em.persist(invoice));
    with(
        listeners ->
            listeners.on(
                ShopEvent.Happened.class,
                (event, em) -> {
                  em.find(Invoice.class, invoice.id(), LockModeType.OPTIMISTIC);
                  shop.inTransaction(other -> other.find(Invoice.class, invoice.id()).pay());
                }),
        factory ->
            assertThatThrownBy(() -> inTransaction(factory, em -> em.persist(Order.placed("o-1"))))
                .hasStackTraceContaining("OptimisticEntityLockException"));
    assertThat(shop.messages()).containsExactly("invoice of 5", "invoice paid");
  }

  @Test
  void listenersThatRaiseWithoutEndAreStopped() {
    with(
        listeners ->
            listeners.on(
                ShopEvent.Happened.class,
                (event, em) -> em.find(Order.class, event.key()).happens("again")),
        factory ->
            assertThatThrownBy(() -> inTransaction(factory, em -> em.persist(Order.placed("o-1"))))
                .rootCause()
                .isInstanceOf(OutledgerException.class)
                .hasMessageStartingWith("OUT-032"));
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void aListenerIsNotToldOfMessages() {
    List<Object> seen = new ArrayList<>();
    with(
        listeners -> listeners.on(Object.class, (event, em) -> seen.add(event)),
        factory ->
            inTransaction(
                factory, em -> OUTBOX.append(em, new ShopEvent.Happened("o-1", "by hand"))));
    assertThat(seen).isEmpty();
    assertThat(shop.messages()).containsExactly("o-1 by hand");
  }

  private void with(Consumer<DomainEventListeners> listeners, Consumer<EntityManagerFactory> work) {
    current = new DomainEventListeners();
    listeners.accept(current);
    work.accept(FACTORY);
  }

  private static void inTransaction(EntityManagerFactory factory, Consumer<EntityManager> work) {
    try (EntityManager em = factory.createEntityManager()) {
      Shop.inTransaction(em, work);
    }
  }

  private static long count(EntityManager em) {
    return em.createQuery("SELECT count(o) FROM Order o", Long.class).getSingleResult();
  }
}
