// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Outbox;
import io.outledger.StoreException;
import io.outledger.spring.contract.parcels.Letter;
import io.outledger.spring.contract.parcels.Letters;
import io.outledger.spring.contract.parcels.Parcel;
import io.outledger.spring.contract.parcels.ParcelApplication;
import io.outledger.spring.contract.parcels.ParcelMoved;
import io.outledger.spring.contract.parcels.ParcelService;
import io.outledger.spring.contract.parcels.Parcels;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The events of JPA entities are in the ledger when their changes are, without configuration. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SpringJpaContract {

  private RunningShop shop;

  /** Creates it. */
  protected SpringJpaContract() {}

  @BeforeAll
  void start() {
    shop =
        RunningShop.of(
            ParcelApplication.class,
            "spring.jpa.hibernate.ddl-auto=create",
            "outledger.schema-initialization=always",
            "outledger.events.from-application-events=true",
            "outledger.relay.enabled=false");
  }

  @AfterAll
  void stop() {
    shop.close();
  }

  @BeforeEach
  void empty() {
    for (String table : List.of("parcel", "letter", "outledger_message")) {
      jdbc().sql("DELETE FROM " + table).update();
    }
  }

  @Test
  void whatASavedAggregateRaisedIsInTheLedger() {
    parcels().save(new Parcel("p-1"));
    assertThat(messages()).containsExactly("p-1 depot");
  }

  @Test
  void aChangeWithoutASaveIsInTheLedgerToo() {
    parcels().save(new Parcel("p-1"));
    service().move("p-1", "Oslo");
    assertThat(messages()).containsExactly("p-1 depot", "p-1 Oslo");
  }

  @Test
  void whatARemovedAggregateRaisedIsInTheLedger() {
    parcels().save(new Parcel("p-1"));
    parcels().deleteById("p-1");
    assertThat(messages()).containsExactly("p-1 depot", "p-1 gone");
  }

  @Test
  void aggregatesAndTheOutboxShareOneStatementInTheOrderOfEvents() {
    inTransaction(
        () -> {
          Parcel first = parcels().save(new Parcel("p-1"));
          parcels().save(new Parcel("p-2"));
          first.move("Oslo");
        });
    assertThat(messages()).containsExactly("p-1 depot", "p-2 depot", "p-1 Oslo");
    assertThat(
            jdbc()
                .sql("SELECT count(DISTINCT xmin::text || cmin::text) FROM outledger_message")
                .query(Integer.class)
                .single())
        .isOne();
    inTransaction(
        () -> {
          service().move("p-2", "Bergen");
          shop.bean(Outbox.class).append(new ParcelMoved("p-3", "by hand"));
        });
    assertThat(messages()).contains("p-2 Bergen", "p-3 by hand").hasSize(5);
  }

  @Test
  void whatIsAppendedByHandIsAtItsPlaceAmongTheEventsOfAggregates() {
    parcels().save(new Parcel("p-1"));
    inTransaction(
        () -> {
          Parcel parcel = parcels().findById("p-1").orElseThrow();
          parcel.move("Oslo");
          shop.bean(Outbox.class).append(new ParcelMoved("p-1", "by hand"));
          parcel.move("Bergen");
          shop.context().publishEvent(new ParcelMoved("p-1", "published"));
          parcel.move("Bodø");
        });
    assertThat(messages())
        .containsExactly(
            "p-1 depot", "p-1 Oslo", "p-1 by hand", "p-1 Bergen", "p-1 published", "p-1 Bodø");
  }

  @Test
  void whatIsAppendedByHandIsAtItsPlaceAmongTheEventsOfSpringDatasAggregatesToo() {
    letters().save(new Letter("l-1"));
    inTransaction(
        () -> {
          Letter letter = letters().findById("l-1").orElseThrow();
          letter.move("sorted");
          shop.bean(Outbox.class).append(new ParcelMoved("l-1", "by hand"));
          letter.move("delivered");
        });
    assertThat(messages())
        .containsExactly("l-1 posted", "l-1 sorted", "l-1 by hand", "l-1 delivered");
  }

  @Test
  void anEntityManagerWithATransactionOfItsOwnIsToldThatItIsNotTheOutboxs() {
    parcels().save(new Parcel("p-1"));
    assertThatThrownBy(() -> persistByHand("p-2"))
        .rootCause()
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("OUT-001")
        .hasMessageContaining("ParcelMoved")
        .hasMessageContaining("its entity manager has a transaction of its own");
    inTransaction(
        () -> {
          service().move("p-1", "Oslo");
          assertThatThrownBy(() -> persistByHand("p-2"))
              .rootCause()
              .hasMessageContaining("its entity manager has a transaction of its own");
        });
    assertThat(messages()).containsExactly("p-1 depot", "p-1 Oslo");
    assertThat(parcels().findById("p-2")).isEmpty();
  }

  private void persistByHand(String id) {
    try (EntityManager own = shop.bean(EntityManagerFactory.class).createEntityManager()) {
      own.getTransaction().begin();
      own.persist(new Parcel(id));
      own.getTransaction().commit();
    }
  }

  @Test
  void anInnerTransactionWritesItsOwnEvents() {
    parcels().save(new Parcel("p-1"));
    parcels().save(new Parcel("p-2"));
    assertThatThrownBy(
            () ->
                inTransaction(
                    () -> {
                      service().move("p-1", "undone");
                      service().moveInNew("p-2", "Oslo");
                      throw new IllegalStateException("the outer one fails");
                    }))
        .hasMessage("the outer one fails");
    assertThat(messages()).containsExactly("p-1 depot", "p-2 depot", "p-2 Oslo");
  }

  @Test
  void aNestedTransactionIsRefusedBySpringAndLosesNothing() {
    inTransaction(
        () -> {
          parcels().save(new Parcel("p-1"));
          assertThatThrownBy(
                  () ->
                      transaction(TransactionDefinition.PROPAGATION_NESTED)
                          .executeWithoutResult(nested -> service().move("p-1", "nested")))
              .isInstanceOf(NestedTransactionNotSupportedException.class);
        });
    assertThat(messages()).containsExactly("p-1 depot");
  }

  @Test
  void anAsyncMethodWritesItsOwnEvents() {
    parcels().save(new Parcel("p-1"));
    service().moveLater("p-1", "Oslo").join();
    assertThat(messages()).containsExactly("p-1 depot", "p-1 Oslo");
  }

  @Test
  void aRollBackLeavesTheEventsForARetry() {
    Parcel parcel = new Parcel("p-1");
    assertThatThrownBy(
            () ->
                inTransaction(
                    () -> {
                      parcels().saveAll(List.of(parcel));
                      parcels().flush();
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(messages()).isEmpty();
    parcels().save(parcel);
    assertThat(messages()).containsExactly("p-1 depot");
  }

  @Test
  void aReadOnlyTransactionWritesNeitherChangeNorMessage() {
    parcels().save(new Parcel("p-1"));
    service().moveInVain("p-1", "nowhere");
    assertThat(messages()).containsExactly("p-1 depot");
    assertThat(parcels().findById("p-1").orElseThrow().place()).isEqualTo("depot");
  }

  @Test
  void whatSpringDataPublishesTooIsOneMessage() {
    letters().save(new Letter("l-1"));
    assertThat(messages()).containsExactly("l-1 posted");
    inTransaction(() -> letters().findById("l-1").orElseThrow().move("delivered"));
    assertThat(messages()).containsExactly("l-1 posted", "l-1 delivered");
  }

  private List<String> messages() {
    return jdbc()
        .sql("SELECT convert_from(payload, 'UTF8') FROM outledger_message ORDER BY position")
        .query(String.class)
        .list()
        .stream()
        .map(json -> json.replaceAll("\\{\"id\":\"(.*)\",\"place\":\"(.*)\"}", "$1 $2"))
        .toList();
  }

  private void inTransaction(Runnable work) {
    transaction(TransactionDefinition.PROPAGATION_REQUIRED)
        .executeWithoutResult(status -> work.run());
  }

  private TransactionTemplate transaction(int propagation) {
    TransactionTemplate template =
        new TransactionTemplate(shop.bean(PlatformTransactionManager.class));
    template.setPropagationBehavior(propagation);
    return template;
  }

  private JdbcClient jdbc() {
    return shop.bean(JdbcClient.class);
  }

  private Parcels parcels() {
    return shop.bean(Parcels.class);
  }

  private Letters letters() {
    return shop.bean(Letters.class);
  }

  private ParcelService service() {
    return shop.bean(ParcelService.class);
  }
}
