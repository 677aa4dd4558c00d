// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Outbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jpa.DomainEventListener;
import io.outledger.spring.SpringOutbox;
import io.outledger.spring.SpringTransactions;
import io.outledger.spring.contract.parcels.Letter;
import io.outledger.spring.contract.parcels.Letters;
import io.outledger.spring.contract.parcels.Parcel;
import io.outledger.spring.contract.parcels.ParcelApplication;
import io.outledger.spring.contract.parcels.ParcelMoved;
import io.outledger.spring.contract.parcels.Parcels;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The events of entities in an application with an outbox and listeners of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SpringJpaGapsContract {

  private static final String[] PROPERTIES = {
    "spring.jpa.hibernate.ddl-auto=create",
    "spring.jpa.properties.hibernate.generate_statistics=true",
    "outledger.schema-initialization=always",
    "outledger.relay.enabled=false"
  };

  private RunningShop shop;

  /** Creates it. */
  protected SpringJpaGapsContract() {}

  /** An outbox of the application's own. */
  @Configuration(proxyBeanMethods = false)
  static class OwnOutbox {

    @Bean
    SpringOutbox ownOutbox(Outledger outledger, SpringTransactions transactions) {
      return new SpringOutbox(outledger, transactions);
    }
  }

  /** A listener that needs a repository, and one of something else. */
  @Configuration(proxyBeanMethods = false)
  static class Listeners {

    @Bean
    DomainEventListener<ParcelMoved> receipts(Letters letters) {
      return (moved, entities) -> {
        if (moved.place().equals("signed for")) {
          letters.save(new Letter("receipt of " + moved.id()));
        }
      };
    }

    @Bean
    DomainEventListener<Integer> deaf() {
      return (number, entities) -> {
        throw new IllegalStateException("nobody raises " + number);
      };
    }
  }

  @BeforeAll
  void start() {
    shop = RunningShop.of(List.of(ParcelApplication.class, OwnOutbox.class), PROPERTIES);
  }

  @AfterAll
  void stop() {
    shop.close();
  }

  @BeforeEach
  void empty() {
    for (String table : List.of("parcel", "letter", "outledger_message")) {
      shop.bean(JdbcClient.class).sql("DELETE FROM " + table).update();
    }
  }

  @Test
  void withAnOutboxOfTheApplicationsOwnTheOrderOfAKeyIsKept() {
    shop.bean(Parcels.class).save(new Parcel("p-1"));
    inTransaction(
        () -> {
          parcel("p-1").move("Oslo");
          shop.bean(Outbox.class).append(new ParcelMoved("p-1", "by hand"));
        });
    assertThat(messages()).containsExactly("p-1 depot", "p-1 Oslo", "p-1 by hand");
  }

  @Test
  void aSaveThatIsTriedAgainAfterARollBackHasItsMessage() {
    Letter letter = new Letter("l-1");
    assertThatThrownBy(
            () ->
                inTransaction(
                    () -> {
                      shop.bean(Letters.class).save(letter);
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(messages()).isEmpty();
    shop.bean(Letters.class).save(letter);
    assertThat(messages()).containsExactly("l-1 posted");
  }

  @Test
  void aListenerThatIsABeanHearsEventsInsideTheirTransaction() {
    try (RunningShop other =
        RunningShop.of(List.of(ParcelApplication.class, Listeners.class), PROPERTIES)) {
      other.bean(Parcels.class).save(new Parcel("p-1"));
      inTransaction(
          other, () -> other.bean(Parcels.class).findById("p-1").orElseThrow().move("signed for"));
      assertThat(messages(other))
          .containsExactly("p-1 depot", "p-1 signed for", "receipt of p-1 posted");
      assertThat(other.bean(Letters.class).findAll()).hasSize(1);
    }
  }

  /** Hibernate flushes at the commit; Outledger once before it, and once after each hand-over. */
  @Test
  void aTransactionIsFlushedNoMoreOftenThanNeeded() {
    shop.bean(Parcels.class).save(new Parcel("p-1"));
    assertThat(flushes(() -> parcel("p-1"))).isEqualTo(2);
    assertThat(flushes(() -> parcel("p-1").move("Bergen"))).isEqualTo(3);
  }

  private long flushes(Runnable work) {
    Statistics statistics =
        shop.bean(EntityManagerFactory.class).unwrap(SessionFactory.class).getStatistics();
    long before = statistics.getFlushCount();
    inTransaction(work);
    return statistics.getFlushCount() - before;
  }

  private Parcel parcel(String id) {
    return shop.bean(Parcels.class).findById(id).orElseThrow();
  }

  private List<String> messages() {
    return messages(shop);
  }

  private static List<String> messages(RunningShop shop) {
    return shop
        .bean(JdbcClient.class)
        .sql("SELECT convert_from(payload, 'UTF8') FROM outledger_message ORDER BY position")
        .query(String.class)
        .list()
        .stream()
        .map(json -> json.replaceAll("\\{\"id\":\"(.*)\",\"place\":\"(.*)\"}", "$1 $2"))
        .toList();
  }

  private void inTransaction(Runnable work) {
    inTransaction(shop, work);
  }

  private static void inTransaction(RunningShop shop, Runnable work) {
    new TransactionTemplate(shop.bean(PlatformTransactionManager.class))
        .executeWithoutResult(status -> work.run());
  }
}
