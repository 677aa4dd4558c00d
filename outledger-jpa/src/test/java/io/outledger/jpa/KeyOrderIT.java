// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two transactions that change only the children of one aggregate, and so share no row lock. */
class KeyOrderIT {

  private static final String WAITING =
      "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

  private static final Duration WAIT_MAX = Duration.ofSeconds(20);

  private final Shop shop = Shop.emptied();

  @BeforeEach
  void placeTheOrder() {
    shop.inTransaction(em -> em.persist(new Order("o-1", "new")));
  }

  @Test
  void withoutALockTheSecondWriterMayComeFirst() {
    try (EntityManager first = begin();
        EntityManager second = begin()) {
      addLine(first, "1");
      addLine(second, "2");
      second.getTransaction().commit();
      first.getTransaction().commit();
    }
    assertThat(shop.messages()).containsExactly("o-1 line 2", "o-1 line 1");
  }

  @Test
  void withTheKeyLockedTheSecondWriterWaitsForTheFirst() {
    try (EntityManager first = begin()) {
      shop.outbox.lockKeys(first, "o-1");
      addLine(first, "1");
      CompletableFuture<Void> second = CompletableFuture.runAsync(this::secondWriter);
      Await.until("the second writer waits", WAIT_MAX, () -> !shop.query(WAITING).isEmpty());
      assertThat(second).isNotDone();
      first.getTransaction().commit();
      second.join();
    }
    assertThat(shop.messages()).containsExactly("o-1 line 1", "o-1 line 2");
  }

  private void secondWriter() {
    try (EntityManager second = begin()) {
      shop.outbox.lockKeys(second, "o-2", "o-1");
      addLine(second, "2");
      second.getTransaction().commit();
    }
  }

  private EntityManager begin() {
    EntityManager em = shop.factory.createEntityManager();
    em.getTransaction().begin();
    return em;
  }

  /** The order's own row is neither changed nor locked. */
  private static void addLine(EntityManager em, String article) {
    Order order = em.find(Order.class, "o-1");
    order.happens("line " + article);
    em.persist(new OrderLine(article));
    em.flush();
  }
}
