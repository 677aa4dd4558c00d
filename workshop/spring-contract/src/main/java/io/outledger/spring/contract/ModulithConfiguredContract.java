// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.spring.boot.EventTypesCustomizer;
import io.outledger.spring.contract.depot.CrateService;
import io.outledger.spring.contract.depot.DepotApplication;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.RoutingTarget;

/** An application's own configuration of Modulith decides what goes where, and as what. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ModulithConfiguredContract {

  private static final String HARMFUL =
      "#{T(java.lang.System).setProperty('outledger.harm', 'done')}";

  private RunningShop depot;

  /** Creates it. */
  protected ModulithConfiguredContract() {}

  /** Selected, mapped to something else. */
  record PalletMoved(String id, String secret) {}

  /** What the world sees of it. */
  record PalletMovedToTheWorld(String pallet) {}

  /** Selected, and routed by an expression that a bean and the event evaluate. */
  @Externalized("#{@halls.topic(hall())}::pallet-#{id()}")
  record PalletBroken(String id, String hall) {}

  /** Selected, and routed by an expression, with a key that code takes from its data. */
  @Externalized("#{@halls.topic(hall())}::#{id()}")
  record PalletSold(String id, String hall, String customer) {}

  /** Selected, and routed by code that returns its data as the topic and the key. */
  record PalletBooked(String topic, String customer) {}

  /** Selected, and nowhere routed: Modulith would take the class's name. */
  record PalletPainted(String id) {}

  /** Selected, and routed by an annotation that says the class's name. */
  @Externalized("PalletStored")
  record PalletStored(String id) {}

  /** Selected, and not registered. */
  record PalletLost(String id) {}

  /** Selected, and mapped to a message of Spring's. */
  record PalletWrapped(String id) {}

  /** Not wrapped by Spring, as it is an event of Spring's kind. */
  static final class PalletCounted extends ApplicationEvent {

    private final String id;

    PalletCounted(String id) {
      super("depot");
      this.id = id;
    }

    public String id() {
      return id;
    }
  }

  /** What the application has configured. */
  @Configuration(proxyBeanMethods = false)
  static class Configured {

    @Bean
    EventExternalizationConfiguration externalization() {
      return EventExternalizationConfiguration.externalizing()
          .selectByType(type -> type.getSimpleName().startsWith("Pallet"))
          .mapping(PalletMoved.class, moved -> new PalletMovedToTheWorld(moved.id()))
          .mapping(PalletWrapped.class, wrapped -> new GenericMessage<>(wrapped.id()))
          .headers(PalletMovedToTheWorld.class, seen -> headers(seen.pallet()))
          .route(PalletMoved.class, moved -> RoutingTarget.forTarget("pallets").andKey(moved.id()))
          .routeKey(PalletSold.class, PalletSold::customer)
          .route(
              PalletBooked.class,
              booked -> RoutingTarget.forTarget(booked.topic()).andKey(booked.customer()))
          .build();
    }

    private static Map<String, Object> headers(String pallet) {
      Map<String, Object> headers = new HashMap<>();
      headers.put("origin", "depot of " + pallet);
      headers.put("weight", 12);
      headers.put("unknown", null);
      return headers;
    }

    @Bean
    Halls halls() {
      return new Halls();
    }

    @Bean
    EventTypesCustomizer pallets() {
      return types ->
          types
              .register(
                  PalletMovedToTheWorld.class,
                  t -> t.name("pallet.moved").topic("nowhere").keyless())
              .register(PalletBroken.class, t -> t.name("pallet.broken").topic("pallets").keyless())
              .register(PalletSold.class, t -> t.name("pallet.sold").topic("pallets").keyless())
              .register(PalletBooked.class, t -> t.name("pallet.booked").topic("pallets").keyless())
              .register(
                  PalletStored.class,
                  t -> t.name("pallet.stored").topic("stored").key(PalletStored::id))
              .register(
                  PalletPainted.class,
                  t -> t.name("pallet.painted").topic("painted").key(PalletPainted::id))
              .register(
                  PalletCounted.class,
                  t -> t.map((event, context) -> List.of(new PalletPainted(event.id()))));
    }
  }

  /** Knows topics. */
  static final class Halls {

    /** Returns a hall's topic. */
    public String topic(String hall) {
      return "hall-" + hall;
    }
  }

  @BeforeAll
  void start() {
    depot =
        RunningShop.of(
            List.of(DepotApplication.class, RecordingConfiguration.class, Configured.class),
            "spring.jpa.hibernate.ddl-auto=create",
            "spring.main.lazy-initialization=true",
            "spring.modulith.events.jdbc.schema-initialization.enabled=true",
            "outledger.schema-initialization=always");
  }

  @AfterAll
  void stop() {
    depot.close();
  }

  @Test
  void whatIsMappedIsSentWithTheHeadersOfItsMapping() {
    publish(new PalletMoved("p-1", "secret"));
    assertThat(stored("pallet.moved")).containsExactly("pallets p-1 {\"pallet\":\"p-1\"}");
    assertThat(
            jdbc()
                .sql("SELECT headers::text FROM outledger_message WHERE type = 'pallet.moved'")
                .query(String.class)
                .single())
        .contains("origin=depot+of+p-1", "weight=12")
        .doesNotContain("unknown");
  }

  @Test
  void expressionsOfTargetAndKeyAreEvaluated() {
    publish(new PalletBroken("p-2", "north"));
    assertThat(stored("pallet.broken"))
        .containsExactly("hall-north pallet-p-2 {\"id\":\"p-2\",\"hall\":\"north\"}");
  }

  /** Modulith takes every text that begins like an expression for one, whoever wrote it. */
  @Test
  void whatCodeComputedFromDataIsNoExpression() {
    for (String customer : List.of(HARMFUL, "#{", "bob #{")) {
      publish(new PalletBooked("pallets", customer));
      publish(new PalletSold("p-7", "south", customer));
      assertThat(addressed("pallet.booked")).contains("pallets " + customer);
      assertThat(addressed("pallet.sold")).contains("hall-south " + customer);
    }
    assertThat(System.getProperty("outledger.harm")).isNull();
  }

  @Test
  void anExpressionForTheTopicThatCodeComputedFailsTheTransaction() {
    assertThatThrownBy(() -> publish(new PalletBooked(HARMFUL, "p-8")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("OUT-014")
        .hasMessageContaining("@Externalized");
    assertThat(System.getProperty("outledger.harm")).isNull();
  }

  @Test
  void whereModulithWouldTakeTheClassesNameTheRegisteredTopicAndKeyCount() {
    publish(new PalletPainted("p-3"));
    assertThat(stored("pallet.painted")).contains("painted p-3 {\"id\":\"p-3\"}");
  }

  @Test
  void whereAnAnnotationSaysTheClassesNameThatIsTheTopic() {
    publish(new PalletStored("p-9"));
    assertThat(stored("pallet.stored")).containsExactly("PalletStored p-9 {\"id\":\"p-9\"}");
  }

  @Test
  void anEventOfSpringsOwnKindIsAppendedToo() {
    publish(new PalletCounted("p-4"));
    assertThat(stored("pallet.painted")).contains("painted p-4 {\"id\":\"p-4\"}");
  }

  @Test
  void aSelectedEventWithoutARegisteredTypeFailsItsTransaction() {
    assertThatThrownBy(() -> publish(new PalletLost("p-5")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("OUT-011")
        .hasMessageContaining("PalletLost");
  }

  @Test
  void aMappingToAMessageOfSpringsIsRefused() {
    assertThatThrownBy(() -> publish(new PalletWrapped("p-6")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("return its payload");
  }

  @Test
  void aKeyThatIsNullFailsTheTransaction() {
    assertThatThrownBy(() -> publish(new PalletMoved("", "secret")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("OUT-012");
  }

  private void publish(Object event) {
    depot.bean(CrateService.class).publish(event);
  }

  private JdbcClient jdbc() {
    return depot.bean(JdbcClient.class);
  }

  private List<String> addressed(String type) {
    return jdbc()
        .sql("SELECT topic || ' ' || message_key FROM outledger_message WHERE type = ?")
        .param(type)
        .query(String.class)
        .list();
  }

  private List<String> stored(String type) {
    return jdbc()
        .sql(
            "SELECT topic || ' ' || message_key || ' ' || convert_from(payload, 'UTF8')"
                + " FROM outledger_message WHERE type = ?")
        .param(type)
        .query(String.class)
        .list();
  }
}
