// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.h2.H2;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import jakarta.persistence.RollbackException;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The documented example on H2 in memory, as an application's own tests may have it. */
class ParcelsOnH2IT {

  private final JdbcDataSource dataSource = inMemory();

  private static JdbcDataSource inMemory() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:parcels;DB_CLOSE_DELAY=-1");
    source.setUser("sa");
    return source;
  }

  @Test
  void eventsAreAppendedWithTheirChangesAndRolledBackWithThem() {
    H2.schema().apply(dataSource);
    try (EntityManagerFactory factory =
            Persistence.createEntityManagerFactory(
                "shop",
                Map.of(
                    "jakarta.persistence.nonJtaDataSource",
                    dataSource,
                    "jakarta.persistence.schema-generation.database.action",
                    "create"));
        Outledger outledger =
            Outledger.builder(dataSource)
                .serializer(JacksonSerializer.create())
                .events(
                    e ->
                        e.register(
                            ParcelArrived.class,
                            t -> t.name("parcel.arrived").topic("parcels").key(ParcelArrived::id)))
                .withoutRetention()
                .build()) {
      JpaOutbox outbox = JpaOutbox.install(factory, outledger);
      arrive(factory, outbox, "p-1");
      assertThatThrownBy(() -> arrive(factory, outbox, "p-1")) // which is there already
          .isInstanceOf(RollbackException.class);
      assertThat(count(factory, "outledger_message")).isOne();
      assertThat(count(factory, "parcel")).isOne();
    }
  }

  private static void arrive(EntityManagerFactory factory, JpaOutbox outbox, String id) {
    try (EntityManager em = factory.createEntityManager()) {
      em.getTransaction().begin();
      outbox.lockKeys(em, id);
      Parcel parcel = new Parcel(id);
      em.persist(parcel);
      parcel.arriveAt("Bergen");
      em.getTransaction().commit();
    }
  }

  private static long count(EntityManagerFactory factory, String table) {
    try (EntityManager em = factory.createEntityManager()) {
      Object count = em.createNativeQuery("SELECT count(*) FROM " + table).getSingleResult();
      return ((Number) count).longValue();
    }
  }
}
