// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.spring.contract.parcels.Parcel;
import io.outledger.spring.contract.parcels.ParcelApplication;
import io.outledger.spring.contract.parcels.Parcels;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The capture of JPA entities' events with other settings than the usual ones. */
public abstract class SpringJpaSettingsContract {

  private static final String[] PROPERTIES = {
    "spring.jpa.hibernate.ddl-auto=create",
    "outledger.schema-initialization=always",
    "outledger.relay.enabled=false",
    "outledger.events.packages=io.outledger.spring.contract.parcels"
  };

  /** Creates it. */
  protected SpringJpaSettingsContract() {}

  @Test
  void itCanBeSwitchedOff() {
    try (RunningShop shop =
        RunningShop.of(ParcelApplication.class, with("outledger.jpa.enabled=false"))) {
      shop.bean(Parcels.class).save(new Parcel("p-1"));
      assertThat(messages(shop)).isZero();
    }
  }

  @Test
  void withTwoFactoriesTheOneOfTheOutboxAppendsAndTheOtherFails() {
    try (RunningShop shop =
        RunningShop.of(TwoFactories.class, with("spring.data.jpa.repositories.enabled=false"))) {
      persist(shop, "first", "p-1");
      assertThat(messages(shop)).isOne();
      assertThatThrownBy(() -> persist(shop, "second", "p-2"))
          .rootCause()
          .hasMessageContaining("OUT-001")
          .hasMessageContaining("not one of this outbox's data source");
      assertThat(messages(shop)).isOne();
    }
  }

  private static void persist(RunningShop shop, String name, String id) {
    EntityManagerFactory factory =
        shop.context().getBean(name + "Factory", EntityManagerFactory.class);
    new TransactionTemplate(
            shop.context().getBean(name + "Manager", PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> {
              EntityManager em = EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
              Objects.requireNonNull(em).persist(new Parcel(id));
            });
  }

  private static int messages(RunningShop shop) {
    return shop.bean(JdbcClient.class)
        .sql("SELECT count(*) FROM outledger_message")
        .query(Integer.class)
        .single();
  }

  private static String[] with(String property) {
    String[] all = Arrays.copyOf(PROPERTIES, PROPERTIES.length + 1);
    all[PROPERTIES.length] = property;
    return all;
  }
}
