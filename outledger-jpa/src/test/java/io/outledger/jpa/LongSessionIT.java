// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a capture keeps, and how much it looks at, in a session with many entities. */
class LongSessionIT {

  private final Shop shop = Shop.emptied();

  @Test
  void removedEntitiesAreNotKept() {
    try (EntityManager em = shop.factory.createEntityManager()) {
      for (int i = 0; i < 5; i++) {
        Order order = Order.placed("o-" + i);
        Shop.inTransaction(em, same -> em.persist(order));
        Shop.inTransaction(
            em,
            same -> {
              order.happens("removed");
              em.remove(order);
            });
      }
      assertThat(shop.outbox.capture().tracked(em)).isZero();
    }
    assertThat(shop.messages()).hasSize(10);
  }

  @Test
  void removedEntitiesWithoutEventsAreNotTrackedUntilTheCommit() {
    shop.inTransaction(
        em -> {
          for (int i = 0; i < 5; i++) {
            Order order = new Order("o-" + i, "new");
            em.persist(order);
            em.flush();
            em.remove(order);
            em.flush();
          }
          assertThat(shop.outbox.capture().tracked(em)).isZero();
        });
  }

  @Test
  void flushAsksNoEntityAgainWhoseRemovalWasFlushedBefore() {
    List<Box> boxes = IntStream.range(0, 20).mapToObj(i -> new Box("b-" + i)).toList();
    shop.inTransaction(em -> boxes.forEach(em::persist));
    shop.inTransaction(
        em -> {
          Box first = em.find(Box.class, "b-0");
          em.remove(first);
          em.flush();
          int before = first.reads();
          for (Box each : boxes.subList(1, boxes.size())) {
            em.remove(em.find(Box.class, each.id()));
            em.flush();
          }
          assertThat(first.reads()).isEqualTo(before);
          first.happens("removed");
        });
    assertThat(shop.messages()).containsExactly("b-0 removed");
  }

  @Test
  void detachingOneEntityAsksNoOther() {
    List<Box> boxes = IntStream.range(0, 20).mapToObj(i -> new Box("b-" + i)).toList();
    shop.inTransaction(
        em -> {
          boxes.forEach(em::persist);
          em.flush();
          Box first = boxes.get(0);
          int before = first.reads();
          boxes.subList(1, boxes.size()).forEach(em::detach);
          assertThat(first.reads()).isEqualTo(before);
        });
  }

  @Test
  void manyEventsOfOneEntityOverManyFlushesAreCapturedOnceEach() {
    Box box = new Box("b-1");
    shop.inTransaction(
        em -> {
          em.persist(box);
          for (int i = 0; i < 300; i++) {
            box.happens("step " + i);
            em.flush();
          }
        });
    assertThat(shop.messages()).hasSize(300).startsWith("b-1 step 0").endsWith("b-1 step 299");
  }
}
