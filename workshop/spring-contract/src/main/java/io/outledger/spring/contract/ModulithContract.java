// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.servers.Await;
import io.outledger.spring.contract.depot.CrateFilled;
import io.outledger.spring.contract.depot.CrateReturned;
import io.outledger.spring.contract.depot.CrateScanned;
import io.outledger.spring.contract.depot.CrateSent;
import io.outledger.spring.contract.depot.CrateService;
import io.outledger.spring.contract.depot.CrateWeighed;
import io.outledger.spring.contract.depot.DepotApplication;
import io.outledger.spring.contract.depot.Warehouse;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.IncompleteEventPublications;

/**
 * What Spring Modulith externalises is appended in its transaction, once, and leaves through
 * Outledger alone, while Modulith's own listeners work on. Everything that could append an event a
 * second time is switched on.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ModulithContract {

  private static final Duration SOON = Duration.ofSeconds(20);

  private RunningShop depot;

  /** Creates it. */
  protected ModulithContract() {}

  @BeforeAll
  void start() {
    depot =
        RunningShop.of(
            List.of(DepotApplication.class, RecordingConfiguration.class),
            "spring.jpa.hibernate.ddl-auto=create",
            "spring.modulith.events.jdbc.schema-initialization.enabled=true",
            "outledger.schema-initialization=always",
            "outledger.events.from-application-events=true");
  }

  @AfterAll
  void stop() {
    depot.close();
  }

  @Test
  void anEventIsAppendedAsModulithRoutesItAndPublishedOnce() {
    service().publish(new CrateSent("c-1"));
    assertThat(stored("c-1", "crates-sent")).containsExactly("crates-sent crates-sent v1");
    Await.until("c-1 is published", SOON, () -> published("c-1", "crates-sent") == 1);
    service().publish(new CrateSent("c-2"));
    Await.until("c-2 is published", SOON, () -> published("c-2", "crates-sent") == 1);
    assertThat(published("c-1", "crates-sent")).isOne();
  }

  @Test
  void aTargetThatIsWrittenIsOneAlsoWhereItIsTheClassesName() {
    service().publish(new CrateScanned("c-9"));
    assertThat(stored("c-9", "CrateScanned")).containsExactly("CrateScanned CrateScanned v1");
  }

  @Test
  void aNameOfOutledgerGoesWithModulithsRouting() {
    service().publish(new CrateFilled("c-3", 1));
    service().publish(new CrateReturned("c-3"));
    assertThat(stored("c-3", "crates"))
        .containsExactly("crates crate.filled v1", "crates crate.returned v1");
  }

  @Test
  void aRolledBackTransactionAppendsNothing() {
    assertThatThrownBy(() -> service().publishAndFail(new CrateSent("c-4"))).hasMessage("no room");
    assertThat(stored("c-4", "crates-sent")).isEmpty();
  }

  @Test
  void anEventThatIsNotSelectedIsNotAppended() {
    service().publish(new CrateWeighed("c-5"));
    assertThat(stored("c-5", "%")).isEmpty();
  }

  @Test
  void moduleListenersWorkOnAndWhatTheyPublishIsAppendedInTheirTransactions() {
    service().publish(new CrateSent("c-6"));
    Await.until("the warehouse hears", SOON, () -> warehouse().heard().contains("c-6"));
    Await.until("and announces", SOON, () -> stored("c-6", "crates").size() == 1);
    assertThat(stored("c-6", "crates")).containsExactly("crates crate.opened v1");
    Await.until(
        "its publication is completed",
        SOON,
        () -> UnsentPublication.listeners(jdbc(), "c-6").isEmpty());
    assertThat(
            jdbc()
                .sql("SELECT DISTINCT listener_id FROM event_publication")
                .query(String.class)
                .list())
        .as("only the module's listener is in Modulith's registry")
        .singleElement()
        .satisfies(listener -> assertThat(listener).contains("Warehouse.on"));
  }

  @Test
  void anEventThatSpringDataPublishesAndHibernateFlushesIsAppendedOnce() {
    service().save("c-7");
    assertThat(stored("c-7", "crates")).containsExactly("crates crate.filled v1");
    service().fill("c-7");
    assertThat(stored("c-7", "crates")).hasSize(2);
  }

  @Test
  void anEventWithoutATransactionIsRefused() {
    assertThatThrownBy(() -> depot.context().publishEvent(new CrateSent("c-8")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("OUT-001")
        .hasMessageContaining("@Transactional");
  }

  @Test
  void whatModulithHadNotSentIsTakenOverWhenItIsSubmittedAgain() {
    for (String externaliser : UnsentPublication.EXTERNALISERS) {
      UnsentPublication.leave(jdbc(), externaliser, externaliser);
      depot.bean(IncompleteEventPublications.class).resubmitIncompletePublications(any -> true);
      assertThat(stored(externaliser, "crates-sent")).containsExactly("crates-sent crates-sent v1");
      assertThat(UnsentPublication.listeners(jdbc(), externaliser)).isEmpty();
    }
    jdbc().sql("DELETE FROM event_publication WHERE listener_id LIKE '%Externalizer%'").update();
  }

  private CrateService service() {
    return depot.bean(CrateService.class);
  }

  private Warehouse warehouse() {
    return depot.bean(Warehouse.class);
  }

  private JdbcClient jdbc() {
    return depot.bean(JdbcClient.class);
  }

  private List<String> stored(String key, String topic) {
    return jdbc()
        .sql(
            "SELECT topic || ' ' || type || ' v' || version FROM outledger_message WHERE"
                + " message_key = ? AND topic LIKE ? ORDER BY position")
        .params(key, topic)
        .query(String.class)
        .list();
  }

  private long published(String key, String topic) {
    return depot.bean(RecordingPublisher.class).arrivals().stream()
        .map(RecordingPublisher.Arrival::message)
        .filter(message -> message.topic().equals(topic))
        .map(Message::key)
        .filter(key::equals)
        .count();
  }
}
