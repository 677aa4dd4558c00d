// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Outbox;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Entities that show their events through Spring Data's annotations. */
class AnnotatedEventsIT {

  private final Shop shop = Shop.emptied();

  @Test
  void theirEventsAreCapturedOnceAndForgottenAfterTheCommit() {
    Basket basket = new Basket("b-1");
    shop.inTransaction(
        em -> {
          em.persist(basket);
          em.flush();
          basket.add(2);
          em.flush();
          em.flush();
          assertThat(basket.events()).hasSize(2);
        });
    assertThat(shop.messages()).containsExactly("b-1 filled", "b-1 added 2");
    assertThat(basket.events()).isEmpty();
    shop.inTransaction(em -> em.find(Basket.class, "b-1").raise("seen"));
    assertThat(shop.messages()).containsExactly("b-1 filled", "b-1 added 2", "b-1 seen");
  }

  @Test
  void whatIsForgottenRightAfterTheSaveIsCapturedAllTheSame() {
    shop.inTransaction(
        em -> {
          Basket basket = new Basket("b-1");
          em.persist(basket);
          basket.forget(); // as a repository does when it has published them
          basket.add(1);
        });
    shop.inTransaction(
        em -> {
          Basket detached = new Basket("b-1");
          em.merge(detached);
          detached.forget();
        });
    shop.inTransaction(
        em -> {
          Basket basket = em.find(Basket.class, "b-1");
          basket.raise("removed");
          em.remove(basket);
          basket.forget();
        });
    assertThat(shop.messages())
        .containsExactly("b-1 filled", "b-1 added 1", "b-1 filled", "b-1 removed");
  }

  @Test
  void theSameEventRaisedTwiceIsTwoMessages() {
    ShopEvent event = new ShopEvent.Happened("b-1", "same");
    shop.inTransaction(
        em -> {
          Basket basket = new Basket("b-1");
          basket.forget();
          em.persist(basket);
          basket.raise(event);
          basket.raise(event);
          em.flush();
          basket.raise(event);
        });
    assertThat(shop.messages()).containsExactly("b-1 same", "b-1 same", "b-1 same");
  }

  @Test
  void aRollBackLeavesTheirEventsForARetry() {
    Basket basket = new Basket("b-1");
    assertThatThrownBy(
            () ->
                shop.inTransaction(
                    em -> {
                      em.persist(basket);
                      em.flush();
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(basket.events()).hasSize(1);
    shop.inTransaction(em -> em.merge(basket));
    assertThat(shop.messages()).containsExactly("b-1 filled");
    assertThat(basket.events()).isEmpty();
  }

  /** A repository has published the events by then, and had the instance forget them. */
  @Test
  void aSaveOfAForgetfulInstanceThatIsTriedAgainAfterARollBackHasItsMessages() {
    Basket basket = new Basket("b-1");
    Basket flushed = new Basket("b-2");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(
              () ->
                  shop.inTransaction(
                      em -> {
                        em.merge(flushed);
                        flushed.forget();
                        em.flush();
                        em.merge(basket);
                        basket.forget();
                        throw new IllegalStateException("rolled back");
                      }))
          .hasMessage("rolled back");
    }
    basket.add(1);
    shop.inTransaction(
        em -> {
          em.merge(flushed);
          flushed.forget();
          em.merge(basket);
          basket.forget();
        });
    assertThat(shop.messages()).containsExactly("b-2 filled", "b-1 filled", "b-1 added 1");
    shop.inTransaction(em -> em.merge(basket));
    assertThat(shop.messages()).hasSize(3);
  }

  @Test
  void anEntityThatCannotForgetKeepsNoOtherFromIt() {
    Basket stubborn = new Basket("b-1");
    stubborn.add(-1);
    Basket other = new Basket("b-2");
    shop.inTransaction(
        em -> {
          em.persist(stubborn);
          em.persist(other);
        });
    assertThat(shop.messages()).containsExactly("b-1 filled", "b-1 added -1", "b-2 filled");
    assertThat(stubborn.events()).hasSize(2);
    assertThat(other.events()).isEmpty();
  }

  @Test
  void anEntityThatCannotBeReadAfterARollBackKeepsNoOtherFromItsEvents() {
    Basket unreadable = new Basket("b-1");
    Basket forgetful = new Basket("b-2");
    try (EntityManager em = shop.factory.createEntityManager()) {
      em.getTransaction().begin();
      em.persist(unreadable);
      em.persist(forgetful);
      em.flush();
      forgetful.forget(); // as a repository does when it has published them
      unreadable.failToShow();
      em.getTransaction().rollback();
      em.clear();
      Shop.inTransaction(em, same -> em.persist(new Basket("b-3")));
    }
    assertThat(shop.messages()).containsExactly("b-3 filled");
    shop.inTransaction(em -> em.merge(forgetful));
    assertThat(shop.messages()).containsExactly("b-3 filled", "b-2 filled");
  }

  @Test
  void entitiesThatCannotBeCapturedAreAllNamedWhenTheCaptureIsInstalled() {
    Outbox none = eventsOrMessages -> List.of();
    try (EntityManagerFactory wrong = shop.factory("wrong")) {
      assertThatThrownBy(() -> DomainEventCapture.install(wrong, none))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageStartingWith("OUT-021")
          .hasMessageContaining("Unforgetting has @DomainEvents: no method has @AfterDomain")
          .hasMessageContaining("must be an instance method without parameters")
          .hasMessageContaining("Undecided has @DomainEvents: it implements HasDomainEvents, too");
    }
  }

  @Test
  void annotationsOnAnInterfaceAreFound() {
    Quote quote = new Quote("q-1", false);
    shop.inTransaction(em -> em.persist(quote));
    assertThat(shop.messages()).containsExactly("q-1 quoted");
    assertThat(quote.announced()).isEmpty();
  }

  @Test
  void eventsThatAreMadeAnewAtEachReadAreRefused() {
    Quote quote = new Quote("q-1", true);
    assertThatThrownBy(() -> shop.inTransaction(em -> em.persist(quote)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021")
        .hasMessageContaining("announced")
        .hasMessageContaining("must return the same objects");
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void aSecondCaptureOfOneFactoryIsRefused() {
    assertThatThrownBy(() -> JpaOutbox.install(shop.factory, shop.outledger))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021 this entity manager factory has a capture");
    shop.inTransaction(em -> em.persist(Order.placed("o-1")));
    assertThat(shop.messages()).containsExactly("o-1 placed");
  }
}
