// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.Await;
import io.outledger.spring.boot.EventTypesCustomizer;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.boot.RelayProgress;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The application has set up its JSON for its API, and its events use what the API uses. */
public abstract class ApplicationJsonContract {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String ALWAYS = "outledger.schema-initialization=always";
  private static final RentCharged RENT =
      new RentCharged("f-1", new Money(new BigDecimal("10.50"), "EUR"));

  private final List<Class<?>> modules;
  private final List<Class<?>> modulesAndMapper;

  /**
   * Creates it.
   *
   * @param module has the team's module of a line of Jackson
   * @param mapper has the mapper of its API, with names in snake case
   */
  protected ApplicationJsonContract(Class<?> module, Class<?> mapper) {
    this.modules = List.of(Flats.class, module);
    this.modulesAndMapper = List.of(Flats.class, module, mapper);
  }

  /** A type of the team, written as one text. */
  public record Money(BigDecimal amount, String currency) {

    /** Reads its text. */
    public static Money parse(String text) {
      String[] parts = text.split(" ", 2);
      return new Money(new BigDecimal(parts[0]), parts[1]);
    }

    @Override
    public String toString() {
      return amount + " " + currency;
    }
  }

  /** An event with it. */
  public record RentCharged(String flatId, Money rent) {}

  record Flat(
      String flatId,
      LocalDate dueDay,
      Duration term,
      Optional<String> note,
      OffsetDateTime signedAt,
      YearMonth month,
      Map<DayOfWeek, Integer> hours) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Moved.class, name = "moved"),
    @JsonSubTypes.Type(value = Renamed.class, name = "renamed")
  })
  sealed interface Change permits Moved, Renamed {}

  record Moved(String to) implements Change {}

  record Renamed(String name) implements Change {}

  record FlatChanged(String flatId, List<Change> changes) {}

  private static final List<Object> EVENTS =
      List.of(
          RENT,
          new Flat(
              "f-2",
              LocalDate.of(2026, 3, 29),
              Duration.ofDays(30),
              Optional.of("x"),
              OffsetDateTime.parse("2026-10-25T02:30+01:00"),
              YearMonth.of(2026, 2),
              Map.of(DayOfWeek.MONDAY, 8)),
          new FlatChanged("f-3", List.of(new Moved("x"), new Renamed("y"))));

  /** What the handlers got. */
  public static class Handled {

    private final List<Object> events = new CopyOnWriteArrayList<>();

    @OutboxHandler("rent")
    void on(RentCharged event) {
      events.add(event);
    }

    @OutboxHandler("flat")
    void on(Flat event) {
      events.add(event);
    }

    @OutboxHandler("change")
    void on(FlatChanged event) {
      events.add(event);
    }
  }

  /** The events and their handlers. */
  @Configuration(proxyBeanMethods = false)
  public static class Flats {

    @Bean
    Handled handled() {
      return new Handled();
    }

    @Bean
    EventTypesCustomizer flats() {
      return types -> {
        types.register(
            RentCharged.class,
            t ->
                t.name("rent.charged")
                    .formerly("rent.due")
                    .topic("flats")
                    .key(RentCharged::flatId));
        types.register(Flat.class, t -> t.name("flat").topic("flats").key(Flat::flatId));
        types.register(
            FlatChanged.class, t -> t.name("flat.changed").topic("flats").key(FlatChanged::flatId));
      };
    }
  }

  @Test
  void whatTheApplicationsModulesWriteAndReadIsHandled() {
    try (RunningShop shop = RunningShop.start(modulesAndMapper, ALWAYS)) {
      EVENTS.forEach(event -> append(shop, event));
      areHandled(shop, EVENTS);
      assertThat(stored(shop, "rent.charged"))
          .isEqualTo("{\"flatId\":\"f-1\",\"rent\":\"10.50 EUR\"}");
    }
  }

  @Test
  void theApplicationsMapperIsUsedByChoice() {
    try (RunningShop shop =
        RunningShop.start(modulesAndMapper, ALWAYS, "outledger.json.mapper=application")) {
      append(shop, RENT);
      areHandled(shop, List.of(RENT));
      assertThat(stored(shop, "rent.charged"))
          .isEqualTo("{\"flat_id\":\"f-1\",\"rent\":\"10.50 EUR\"}");
    }
  }

  @Test
  void aMapperThatIsNotThereStopsTheStart() {
    assertThat(PrintedStart.of(List.of(Flats.class), ALWAYS, "outledger.json.mapper=application"))
        .contains("outledger.json.mapper=application", "no bean of type");
  }

  @Test
  void aMessageWithAFormerNameIsHandledAndItsUnknownFieldIsCounted() {
    try (RunningShop shop = RunningShop.start(modules, ALWAYS)) {
      String json = "{\"flatId\":\"f-1\",\"rent\":\"10.50 EUR\",\"dueOn\":\"2026-11-30\"}";
      append(
          shop,
          Message.to("flats", "rent.due")
              .key("f-1")
              .payload(json.getBytes(StandardCharsets.UTF_8))
              .build());
      areHandled(shop, List.of(RENT));
      assertThat(shop.bean(Outledger.class).unknownFields())
          .isEqualTo(Map.of("rent.due v1: dueOn", 1L));
      assertThat(shop.bean(Outledger.class).passedOver()).isEmpty();
    }
  }

  interface Open {}

  record OpenChanged(String flatId, List<Open> changes) {}

  /** An event that nobody could read. */
  @Configuration(proxyBeanMethods = false)
  static class WithUnreadable {

    @Bean
    EventTypesCustomizer unreadable() {
      return types ->
          types.register(
              OpenChanged.class,
              t -> t.name("open.changed").topic("flats").key(OpenChanged::flatId));
    }
  }

  @Test
  void anEventThatNobodyCouldReadStopsAStartThatChecksIt() {
    assertThat(
            PrintedStart.of(
                with(WithUnreadable.class), ALWAYS, "outledger.json.check-at-start=true"))
        .contains("OpenChanged", "field changes", "Open is abstract", "@JsonTypeInfo");
  }

  @Test
  void unknownAndMissingFieldsFailWhereThatIsWanted() {
    byte[] more = "{\"flatId\":\"f-1\",\"rent\":\"10.50 EUR\",\"gift\":1}".getBytes(UTF_8);
    byte[] less = "{\"flatId\":\"f-1\"}".getBytes(UTF_8);
    try (RunningShop shop = RunningShop.start(modules, ALWAYS)) {
      PayloadSerializer own = shop.bean(PayloadSerializer.class);
      assertThat(own.read(more, RentCharged.class)).isEqualTo(RENT);
      assertThat(own.read(less, RentCharged.class).flatId()).isEqualTo("f-1");
    }
    try (RunningShop shop = RunningShop.start(modules, ALWAYS, "outledger.json.strict=true")) {
      PayloadSerializer strict = shop.bean(PayloadSerializer.class);
      assertThatThrownBy(() -> strict.read(more, RentCharged.class))
          .hasMessageContainingAll("OUT-015", "gift");
      assertThatThrownBy(() -> strict.read(less, RentCharged.class))
          .hasMessageContainingAll("OUT-015", "rent");
      append(shop, RENT);
      areHandled(shop, List.of(RENT));
    }
  }

  @Test
  void anEventThatNobodyCouldReadIsNeverAppended() {
    try (RunningShop shop = RunningShop.start(with(WithUnreadable.class), ALWAYS)) {
      RelayProgress health = shop.bean(RelayProgress.class);
      Await.until("the health tells of it", SOON, () -> !health.isWell());
      assertThat(health.details())
          .containsEntry(
              "payload serializer", "cannot write or read some events; the log has the rest");
      assertThatThrownBy(() -> append(shop, new OpenChanged("f-1", List.of())))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("Open is abstract");
      append(shop, RENT);
      areHandled(shop, List.of(RENT));
    }
  }

  private List<Class<?>> with(Class<?> more) {
    List<Class<?>> all = new ArrayList<>(modules);
    all.add(more);
    return all;
  }

  /** Appends an event in a transaction. */
  protected static void append(RunningShop shop, Object event) {
    new TransactionTemplate(shop.bean(PlatformTransactionManager.class))
        .executeWithoutResult(status -> shop.bean(Outbox.class).append(event));
  }

  /** Waits until some events are handled. */
  protected static void areHandled(RunningShop shop, List<Object> events) {
    List<Object> handled = shop.bean(Handled.class).events;
    Await.until("all are handled", SOON, () -> handled.size() == events.size());
    assertThat(handled).containsExactlyInAnyOrderElementsOf(events);
  }

  private static String stored(RunningShop shop, String type) {
    return shop.bean(JdbcClient.class)
        .sql("SELECT convert_from(payload, 'UTF8') FROM outledger_message WHERE type = ?")
        .param(type)
        .query(String.class)
        .single();
  }
}
