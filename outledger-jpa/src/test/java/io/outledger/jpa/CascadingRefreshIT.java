// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A refresh that reaches further entities: whose change it undoes, it is refused. */
class CascadingRefreshIT {

  private final Shop shop = Shop.emptied();
  private final EntityManagerFactory factory =
      shop.factory(
          "nodes",
          Map.of("jakarta.persistence.schema-generation.database.action", "drop-and-create"));
  private final JpaOutbox outbox = JpaOutbox.install(factory, shop.outledger);
  private boolean isRefused;

  @BeforeEach
  void aParentWithTwoChildrenOneOfThemAParentItself() {
    in(
        em -> {
          Node parent = new Node("p");
          Node second = new Node("c2");
          second.children().add(new Node("g"));
          parent.children().addAll(List.of(new Node("c1"), second));
          em.persist(parent);
        });
  }

  @AfterEach
  void close() {
    assertThat(outbox.capture().sessions()).isZero();
    factory.close();
  }

  @Test
  void aChildOfALoadedCollection() {
    refresh(
        em -> {
          Node parent = em.find(Node.class, "p");
          parent.children().get(1).rename("changed");
          return parent;
        });
    assertThat(isRefused).isTrue();
  }

  @Test
  void aChildOfACollectionThatIsNotLoaded() {
    refresh(
        em -> {
          em.find(Node.class, "c1").rename("changed");
          return em.find(Node.class, "p");
        });
  }

  @Test
  void aGrandchildOfCollectionsThatAreNotLoaded() {
    refresh(
        em -> {
          em.find(Node.class, "g").rename("changed");
          return em.find(Node.class, "p");
        });
  }

  @Test
  void aGrandchildOfLoadedCollections() {
    refresh(
        em -> {
          Node parent = em.find(Node.class, "p");
          parent.children().forEach(each -> each.children().forEach(g -> g.rename("changed")));
          return parent;
        });
  }

  @Test
  void aChildThatWasPersistedAndNotFlushed() {
    refresh(
        em -> {
          Node parent = em.find(Node.class, "p");
          Node child = new Node("c3");
          child.rename("changed");
          parent.children().add(child);
          em.persist(child);
          return parent;
        });
  }

  @Test
  void aParentThatShowsNoChangeOfItsOwnAndNoTransaction() {
    try (EntityManager em = factory.createEntityManager()) {
      Node parent = em.find(Node.class, "p");
      parent.children().get(0).rename("changed");
      assertThatThrownBy(() -> em.refresh(parent))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageStartingWith("OUT-031");
    }
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void afterAFlushOrADiscardItIsFine() {
    in(
        em -> {
          Node child = em.find(Node.class, "c1");
          child.rename("flushed");
          em.flush();
          Node parent = em.find(Node.class, "p");
          em.refresh(parent);
          child.rename("discarded");
          child.domainEvents().discard();
          em.refresh(parent);
        });
    assertThat(shop.messages()).containsExactly("c1 flushed");
    assertThat(shop.query("SELECT name FROM node WHERE id = 'c1'")).containsExactly("flushed");
  }

  @Test
  void whatARefreshDoesNotReachIsCaptured() {
    in(
        em -> {
          Node child = em.find(Node.class, "c1");
          em.find(Node.class, "p").rename("kept");
          em.refresh(child);
        });
    assertThat(shop.messages()).containsExactly("p kept");
    assertThat(shop.query("SELECT name FROM node WHERE id = 'p'")).containsExactly("kept");
  }

  // Which entities a refresh reaches differs between versions of Hibernate. What it undoes is
  // refused, and what it leaves is written: there is a message exactly for each change.
  private void refresh(Function<EntityManager, Node> work) {
    in(
        em -> {
          Node parent = work.apply(em);
          try {
            em.refresh(parent);
          } catch (InvalidMessageException e) {
            assertThat(e)
                .hasMessageStartingWith("OUT-031")
                .hasMessageContaining("was refreshed before a flush");
            assertThat(em.getTransaction().getRollbackOnly()).isTrue();
            isRefused = true;
          }
        });
    assertThat(shop.messages())
        .isEqualTo(
            shop.query("SELECT id || ' changed' FROM node WHERE name = 'changed' ORDER BY id"))
        .hasSize(isRefused ? 0 : 1);
  }

  private void in(Consumer<EntityManager> work) {
    try (EntityManager em = factory.createEntityManager()) {
      EntityTransaction transaction = em.getTransaction();
      transaction.begin();
      try {
        work.accept(em);
        if (!transaction.getRollbackOnly()) {
          transaction.commit();
        }
      } finally {
        if (transaction.isActive()) {
          transaction.rollback();
        }
      }
    }
  }
}
