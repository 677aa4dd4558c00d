// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Delivery;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.StoreException;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Messages without an aggregate, beside the events of aggregates. */
class ManualAppendIT {

  private final Shop shop = Shop.emptied();

  @Test
  void aMessageWithoutAnAggregateTakesItsPlaceInTheOrder() {
    shop.inTransaction(
        em -> {
          Outbox outbox = shop.outbox.on(em);
          Order order = Order.placed("o-1");
          List<UUID> ids = outbox.append(new ShopEvent.Other("by hand", "first"));
          assertThat(ids).hasSize(1);
          order.happens("paid");
          outbox.append(
              Message.to("shop", "other").key("m").payload("m second".getBytes(UTF_8)).build(),
              new ShopEvent.Doubled("by hand"));
          em.persist(order);
        });
    assertThat(shop.messages())
        .containsExactly(
            "o-1 placed",
            "by hand first",
            "o-1 paid",
            "m second",
            "by hand first",
            "by hand second");
    assertThat(shop.statements()).isOne();
  }

  @Test
  void itTakesItsPlaceAmongTheEventsOfAnnotatedEntitiesToo() {
    shop.inTransaction(
        em -> {
          em.persist(new Basket("b-1"));
          em.persist(new Basket("b-2"));
        });
    shop.execute("DELETE FROM outledger_message");
    shop.inTransaction(
        em -> {
          Basket second = em.find(Basket.class, "b-2");
          em.find(Basket.class, "b-1").add(1);
          shop.outbox.append(em, new ShopEvent.Other("b-1", "by hand"));
          second.add(2);
          second.add(3);
          shop.outbox.append(em, new ShopEvent.Other("b-2", "by hand"));
          em.find(Basket.class, "b-1").add(4);
        });
    assertThat(shop.messages())
        .containsExactly(
            "b-1 added 1",
            "b-1 by hand",
            "b-2 added 2",
            "b-2 added 3",
            "b-2 by hand",
            "b-1 added 4");
  }

  @Test
  void anEventThatWasForgottenBeforeTheFlushIsNotAppendedBecauseOfAnAppendByHand() {
    shop.inTransaction(em -> em.persist(new Basket("b-1")));
    shop.execute("DELETE FROM outledger_message");
    shop.inTransaction(
        em -> {
          Basket basket = em.find(Basket.class, "b-1");
          basket.raise("taken back");
          shop.outbox.append(em, new ShopEvent.Other("b-1", "by hand"));
          basket.forget();
          basket.raise("stays");
        });
    assertThat(shop.messages()).containsExactly("b-1 by hand", "b-1 stays");
  }

  @Test
  void theIdsAreThoseOfTheMessages() {
    List<String> ids = new ArrayList<>();
    shop.inTransaction(
        em -> {
          for (UUID id : shop.outbox.append(em, new ShopEvent.Doubled("o-1"))) {
            ids.add(id.toString());
          }
        });
    assertThat(ids).hasSize(2);
    assertThat(shop.query("SELECT id FROM outledger_message ORDER BY position")).isEqualTo(ids);
  }

  @Test
  void aTransactionWithoutEntitiesAppendsToo() {
    shop.inTransaction(em -> shop.outbox.append(em, new ShopEvent.Other("k", "alone")));
    assertThat(shop.messages()).containsExactly("k alone");
  }

  @Test
  void whatIsRolledBackWasNeverThereAndIsNotAppendedLater() {
    try (EntityManager em = shop.factory.createEntityManager()) {
      em.getTransaction().begin();
      shop.outbox.append(em, new ShopEvent.Other("k", "undone"));
      em.getTransaction().rollback();
      Shop.inTransaction(em, same -> shop.outbox.append(em, new ShopEvent.Other("k", "done")));
    }
    assertThat(shop.messages()).containsExactly("k done");
  }

  @Test
  void messageIsScheduledAndCancelledInTheTransaction() {
    Delivery later = Delivery.after(Duration.ofDays(1));
    List<UUID> ids = new ArrayList<>();
    shop.execute("DELETE FROM outledger_scheduled");
    shop.inTransaction(
        em -> {
          Outbox outbox = shop.outbox.on(em);
          ids.add(outbox.append(new ShopEvent.Other("k", "later"), later));
          outbox.append(new ShopEvent.Other("l", "later"), later.named("l"));
          outbox.append(new ShopEvent.Other("m", "later"), later);
          assertThat(outbox.cancel("l")).isTrue();
        });
    assertThat(keysThatWait()).containsExactly("k", "m");
    shop.inTransaction(em -> assertThat(shop.outbox.on(em).cancel(ids.get(0))).isTrue());
    assertThat(keysThatWait()).containsExactly("m");
    try (EntityManager em = shop.factory.createEntityManager()) {
      assertThatThrownBy(() -> shop.outbox.append(em, new ShopEvent.Other("k", "w"), later))
          .hasMessageStartingWith("OUT-001 cannot schedule a message: no transaction");
      assertThatThrownBy(() -> shop.outbox.cancel(em, "l"))
          .hasMessageStartingWith("OUT-001 cannot cancel a scheduled message");
    }
  }

  private List<String> keysThatWait() {
    return shop.query("SELECT message_key FROM outledger_scheduled ORDER BY number");
  }

  @Test
  void withoutATransactionAppendingAndLockingAreRefused() {
    try (EntityManager em = shop.factory.createEntityManager()) {
      assertThatThrownBy(() -> shop.outbox.on(em).append(new ShopEvent.Other("k", "w")))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("OUT-001 cannot append: no transaction is running");
      assertThatThrownBy(() -> shop.outbox.lockKeys(em, "k"))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("OUT-001 cannot lock keys");
    }
  }

  @Test
  void whatCannotBeAppendedIsRefusedAtTheCall() {
    shop.inTransaction(
        em -> {
          assertThatThrownBy(
                  () ->
                      shop.outbox.append(
                          em, new ShopEvent.Other("k", "good"), new ShopEvent.Unregistered("k")))
              .isInstanceOf(InvalidMessageException.class)
              .hasMessageStartingWith("OUT-011");
          em.persist(Order.placed("o-1"));
        });
    assertThat(shop.messages()).containsExactly("o-1 placed");
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without null checks may do
  void nothingIsNotTaken() {
    assertThatThrownBy(() -> shop.outbox.on(null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021 entityManager must not be null");
    assertThatThrownBy(() -> JpaOutbox.install(shop.factory, null))
        .isInstanceOf(ConfigurationException.class);
  }
}
