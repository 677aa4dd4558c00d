// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The documented example. */
class ParcelsIT {

  private final Shop shop = Shop.emptied();
  private final DataSource dataSource = shop.dataSource();

  @Test
  void theDocumentedExampleWorks() {
    try (EntityManagerFactory entityManagerFactory = shop.factory("shop")) {
      Outledger outledger =
          Outledger.builder(dataSource)
              .serializer(JacksonSerializer.create())
              .events(
                  e ->
                      e.register(
                          ParcelArrived.class,
                          t -> t.name("parcel.arrived").topic("parcels").key(ParcelArrived::id)))
              .build();
      JpaOutbox outbox = JpaOutbox.install(entityManagerFactory, outledger);
      arrive(entityManagerFactory);
      appendByHand(entityManagerFactory, outbox);
      outledger.close();
    }
    assertThat(shop.messages())
        .containsExactly(
            "{\"id\":\"p-1\",\"where\":\"Bergen\"}", "{\"id\":\"p-2\",\"where\":\"Oslo\"}");
    assertThat(shop.query("SELECT place FROM parcel")).containsExactly("Bergen");
  }

  private static void arrive(EntityManagerFactory entityManagerFactory) {
    EntityManager entityManager = entityManagerFactory.createEntityManager();
    entityManager.getTransaction().begin();
    Parcel parcel = new Parcel("p-1");
    entityManager.persist(parcel);
    parcel.arriveAt("Bergen");
    entityManager.getTransaction().commit();
    entityManager.close();
  }

  private static void appendByHand(EntityManagerFactory factory, JpaOutbox outbox) {
    try (EntityManager entityManager = factory.createEntityManager()) {
      entityManager.getTransaction().begin();
      outbox.lockKeys(entityManager, "p-1");
      outbox.append(entityManager, new ParcelArrived("p-2", "Oslo"));
      entityManager.getTransaction().commit();
    }
  }

  @Test
  void theDocumentedListenerWrites() {
    try (EntityManagerFactory entityManagerFactory = shop.factory("shop");
        Outledger outledger =
            Outledger.builder(dataSource)
                .serializer(JacksonSerializer.create())
                .events(e -> e.register(ParcelArrived.class, t -> t.map((a, c) -> none())))
                .withoutRetention()
                .build()) {
      JpaOutbox.install(
          entityManagerFactory,
          outledger,
          listeners ->
              listeners.on(
                  ParcelArrived.class, (arrived, em) -> em.persist(new Visit(arrived.where()))));
      arrive(entityManagerFactory);
    }
    assertThat(shop.messages()).isEmpty();
    assertThat(shop.query("SELECT place FROM visit")).containsExactly("Bergen");
  }

  private static List<Object> none() {
    return List.of();
  }
}
