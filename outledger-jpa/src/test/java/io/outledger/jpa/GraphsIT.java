// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import jakarta.persistence.FlushModeType;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Entities that come, change and go with others, and entity managers used in unusual ways. */
class GraphsIT {

  private final Shop shop = Shop.emptied();
  private final EntityManagerFactory factory =
      shop.factory(
          "nodes",
          Map.of("jakarta.persistence.schema-generation.database.action", "drop-and-create"));
  private final JpaOutbox outbox = JpaOutbox.install(factory, shop.outledger);

  @AfterEach
  void close() {
    assertThat(outbox.capture().sessions()).isZero();
    factory.close();
  }

  @Test
  void anEntityThatAMergeReachesTwiceIsStillDetached() {
    Node shared = new Node("s");
    Node top = diamondOver(shared);
    in(em -> em.persist(top));
    assertThatThrownBy(
            () ->
                in(
                    em -> {
                      em.merge(top);
                      shared.rename("in vain");
                    }))
        .rootCause()
        .hasMessageStartingWith("OUT-031");
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void theCopyOfAnEntityThatAMergeReachesTwiceIsGuarded() {
    Node shared = new Node("s");
    Node top = diamondOver(shared);
    in(em -> em.persist(top));
    shared.rename("new");
    in(
        em -> {
          Node copy = em.merge(top).shared().get(0).shared().get(0);
          assertThatThrownBy(() -> em.detach(copy)).hasMessageStartingWith("OUT-031");
        });
    assertThat(shop.messages()).isEmpty();
    in(em -> em.merge(top));
    assertThat(shop.messages()).containsExactly("s new");
    assertThat(names()).contains("s new");
  }

  @Test
  void entitiesOfACycleAreCapturedOnceEach() {
    Node one = new Node("1");
    Node two = new Node("2");
    one.shared().add(two);
    two.shared().add(one);
    in(em -> em.persist(one));
    one.rename("x");
    two.rename("y");
    in(em -> em.merge(one));
    in(em -> em.merge(two));
    assertThat(shop.messages()).containsExactly("1 x", "2 y");
  }

  @Test
  void orphansAndChildrenOfWhatIsRemovedAreCaptured() {
    Node top = new Node("t");
    top.children().add(new Node("1"));
    top.children().add(new Node("2"));
    in(em -> em.persist(top));
    in(
        em -> {
          Node orphan = em.find(Node.class, "t").children().remove(0);
          orphan.talkAtRemoval();
          orphan.happens("orphan");
        });
    assertThat(shop.messages().stream().map(each -> each.substring(2)))
        .containsExactly("orphan", "before removal", "after removal");
    in(
        em -> {
          Node found = em.find(Node.class, "t");
          found.children().get(0).happens("with its parent");
          em.remove(found);
        });
    assertThat(shop.messages()).hasSize(4);
    assertThat(names()).isEmpty();
  }

  @Test
  void detachingAChildWithItsParentIsGuarded() {
    Node top = new Node("t");
    top.children().add(new Node("c"));
    in(em -> em.persist(top));
    in(
        em -> {
          Node found = em.find(Node.class, "t");
          found.children().get(0).rename("undone");
          assertThatThrownBy(() -> em.detach(found)).hasMessageStartingWith("OUT-031");
        });
    assertThat(names()).containsExactly("c ", "t ");
    assertThat(shop.messages()).isEmpty();
  }

  @Test
  void aSubclassAndAChangeOfACollectionAreCaptured() {
    SpecialNode node = new SpecialNode("v");
    node.grow();
    in(em -> em.persist(node));
    in(em -> em.find(Node.class, "v").tag("red"));
    in(em -> ((SpecialNode) em.getReference(Node.class, "v").self()).grow());
    assertThat(shop.messages()).containsExactly("v grown to 1", "v tag red", "v grown to 2");
  }

  @Test
  void aQueryThatDoesNotFlushMakesNoClearSafe() {
    in(em -> em.persist(new Node("a")));
    in(
        em -> {
          em.setFlushMode(FlushModeType.COMMIT);
          em.find(Node.class, "a").rename("x");
          em.createQuery("FROM Node", Node.class).getResultList();
          assertThatThrownBy(em::clear).hasMessageStartingWith("OUT-031");
        });
    assertThat(shop.messages()).isEmpty();
    assertThat(names()).containsExactly("a ");
  }

  @Test
  void anEntityManagerThatIsClosedBeforeTheCommitCapturesAll() {
    EntityManager em = factory.createEntityManager();
    EntityTransaction transaction = em.getTransaction();
    transaction.begin();
    Node node = new Node("a");
    em.persist(node);
    node.rename("before");
    em.close();
    node.rename("after");
    transaction.commit();
    assertThat(names()).containsExactly("a after");
    assertThat(shop.messages()).containsExactly("a before", "a after");
  }

  @Test
  void aSessionOnTheSameConnectionIsCapturedToo() {
    in(
        em -> {
          Node parent = new Node("a");
          em.persist(parent);
          parent.happens("parent");
          try (Session session =
              em.unwrap(Session.class).sessionWithOptions().connection().openSession()) {
            Node child = new Node("b");
            session.persist(child);
            child.happens("child");
            session.flush();
          }
        });
    assertThat(names()).containsExactly("a ", "b ");
    assertThat(shop.messages()).containsExactlyInAnyOrder("a parent", "b child");
  }

  @Test
  void whatWasRolledBackIsNotCapturedByTheSameEntityManagerLater() {
    in(em -> em.persist(new Node("a")));
    try (EntityManager em = factory.createEntityManager()) {
      em.getTransaction().begin();
      Node node = em.find(Node.class, "a");
      node.rename("rolled back");
      em.flush();
      em.getTransaction().rollback();
      Shop.inTransaction(em, same -> em.find(Node.class, "a").happens("seen"));
      Shop.inTransaction(em, same -> node.happens("detached"));
    }
    assertThat(names()).containsExactly("a ");
    assertThat(shop.messages()).containsExactly("a seen");
  }

  private static Node diamondOver(Node shared) {
    Node top = new Node("t");
    for (String id : List.of("l", "r")) {
      Node side = new Node(id);
      side.shared().add(shared);
      top.shared().add(side);
    }
    return top;
  }

  private void in(Consumer<EntityManager> work) {
    try (EntityManager em = factory.createEntityManager()) {
      Shop.inTransaction(em, work);
    }
  }

  private List<String> names() {
    return shop.query("SELECT id || ' ' || name FROM node ORDER BY id");
  }
}
