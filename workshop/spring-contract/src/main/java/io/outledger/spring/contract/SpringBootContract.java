// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.StoreException;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.servers.TcpProxy;
import io.outledger.spring.boot.OutledgerEndpoint;
import io.outledger.spring.boot.OutledgerRequestsEndpoint;
import io.outledger.spring.boot.RelayProgress;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.OrderService;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.slf4j.MDC;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** What an application does on every line of Spring Boot; each line's module extends it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SpringBootContract {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final String line;
  private RunningShop shop;

  /**
   * Creates it.
   *
   * @param line the beginning of Boot's version, such as {@code 4.1.}
   */
  protected SpringBootContract(String line) {
    this.line = line;
  }

  @BeforeAll
  void start() {
    shop =
        RunningShop.start(
            List.of(
                RecordingConfiguration.class,
                HandlerConfiguration.class,
                InboxedConfiguration.class),
            "outledger.schema-initialization=always",
            "spring.jmx.enabled=true",
            "management.endpoints.jmx.exposure.include=*",
            "outledger.events.from-application-events=true",
            "management.tracing.sampling.probability=1.0",
            "outledger.subscriptions.handlers.attempts-max=1");
  }

  @AfterAll
  void stop() {
    shop.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .as("relays that outlive their context, as they would at each restart of DevTools")
        .noneMatch(thread -> thread.getName().startsWith("outledger-relay"));
  }

  @Test
  void thisIsTheLineThatItSays() {
    assertThat(SpringBootVersion.getVersion()).startsWith(line);
  }

  @Test
  void anEventIsPublishedWithItsTransaction() {
    shop.bean(OrderService.class).place("o-1", 1990);
    Await.until("o-1 is published", SOON, () -> published("o-1") == 1);
  }

  @Test
  void aPublishedEventIsInTheMetersOfTheApplication() {
    shop.bean(OrderService.class).place("o-metered", 1990);
    MeterRegistry meters = shop.bean(MeterRegistry.class);
    Await.until(
        "o-metered is timed and the database's state is shown",
        SOON,
        () ->
            meters.find("outledger.relay.publish").timers().stream().anyMatch(t -> t.count() > 0)
                && meters.find("outledger.append").timers().stream().anyMatch(t -> t.count() > 0)
                && meters.get("outledger.ledger.readable").gauge().value() == 1);
  }

  @Test
  void aRolledBackTransactionPublishesNothing() {
    OrderService orders = shop.bean(OrderService.class);
    orders.place("o-2", 1);
    assertThatThrownBy(() -> orders.place("o-2", 2)).isInstanceOf(DuplicateKeyException.class);
    orders.place("o-3", 3);
    Await.until("o-3 is published", SOON, () -> published("o-3") == 1);
    assertThat(published("o-2")).isEqualTo(1);
  }

  @Test
  void messagesAreWrittenJustBeforeTheCommit() {
    JdbcClient jdbc = shop.bean(JdbcClient.class);
    transaction(TransactionDefinition.PROPAGATION_REQUIRED)
        .executeWithoutResult(
            status -> {
              shop.bean(Outbox.class).append(new OrderPlaced("o-4", 1));
              assertThat(stored(jdbc, "o-4")).isZero();
            });
    assertThat(stored(jdbc, "o-4")).isPositive();
  }

  @Test
  void appendingWithoutATransactionSaysWhatToDo() {
    assertThatThrownBy(() -> shop.bean(Outbox.class).append(new OrderPlaced("o-5", 1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("OUT-001")
        .hasMessageContaining("@Transactional");
  }

  @Test
  void aRollBackToASavepointDropsWhatWasAppendedAfterIt() {
    Outbox outbox = shop.bean(Outbox.class);
    transaction(TransactionDefinition.PROPAGATION_REQUIRED)
        .executeWithoutResult(
            outer -> {
              outbox.append(new OrderPlaced("o-6", 1));
              transaction(TransactionDefinition.PROPAGATION_NESTED)
                  .executeWithoutResult(
                      nested -> {
                        outbox.append(new OrderPlaced("o-7", 1));
                        nested.setRollbackOnly();
                      });
              outbox.append(new OrderPlaced("o-8", 1));
            });
    assertThat(stored(jdbc(), "o-6")).isPositive();
    assertThat(stored(jdbc(), "o-7")).isZero();
    assertThat(stored(jdbc(), "o-8")).isPositive();
  }

  @Test
  void aHandlerTakesEffectTogetherWithWhatItAppends() {
    shop.bean(OrderService.class).place("o-9", 1);
    Await.until("the mail is queued", SOON, () -> rows("mails", "o-9") == 1);
    Await.until("its event is published", SOON, () -> stored(jdbc(), "o-9") == 2);
  }

  @Test
  void aHandlerThatFailsIsRolledBackAloneAndItsDeadLetterIsTold() {
    shop.bean(OrderService.class).place("o-10", 0);
    HandlerConfiguration.Letters letters = shop.bean(HandlerConfiguration.Letters.class);
    Await.until("the dead letter is told", SOON, () -> !letters.all().isEmpty());
    assertThat(letters.all())
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.subscription()).isEqualTo("handlers");
              assertThat(letter.message().route()).isEqualTo("audit");
              assertThat(letter.message().key()).isEqualTo("o-10");
              assertThat(letter.reason()).contains("costs nothing");
            });
    assertThat(rows("audits", "o-10")).isZero();
    Await.until("the other handler is done", SOON, () -> rows("mails", "o-10") == 1);
  }

  @Test
  void aFullDiskCountsNoAttemptOfAHandler() {
    shop.bean(OrderService.class).place("o-13", -1);
    Await.until("it is audited after the outage", SOON, () -> rows("audits", "o-13") == 1);
    assertThat(shop.bean(HandlerConfiguration.Letters.class).all())
        .noneMatch(letter -> "o-13".equals(letter.message().key()));
  }

  @Test
  void anApplicationEventOfARegisteredTypeIsAppended() {
    transaction(TransactionDefinition.PROPAGATION_REQUIRED)
        .executeWithoutResult(
            status -> {
              shop.context().publishEvent(new OrderPlaced("o-11", 1));
              shop.context().publishEvent("not of a registered type");
            });
    assertThat(stored(jdbc(), "o-11")).isPositive();
  }

  @Test
  void theEndpointTellsOfSubscriptionsAndRelays() {
    OutledgerEndpoint endpoint = shop.bean(OutledgerEndpoint.class);
    Await.until(
        "both relays run",
        SOON,
        () ->
            overview(endpoint).relays().values().stream()
                    .filter(state -> state.startsWith("running"))
                    .count()
                == 2);
    assertThat(overview(endpoint).subscriptions()).hasSize(2);
    Message later = Message.to("orders", "order.placed").payload(new byte[0]).key("o-1").build();
    transaction(TransactionDefinition.PROPAGATION_REQUIRED)
        .executeWithoutResult(
            status -> shop.bean(Outbox.class).append(later, Delivery.after(Duration.ofDays(1))));
    assertThat(overview(endpoint).scheduled().waiting().number()).isEqualTo(1);
    assertThat(overview(endpoint).stuckSagas()).isEmpty();
    assertThat(endpoint.parked("recording").getBody()).isEqualTo(List.of());
    assertThat(shop.bean(RelayProgress.class).isWell()).isTrue();
  }

  @Test
  void theEndpointSaysSoWhileTheDatabaseIsAway() {
    int server = Postgres.shared().port();
    try (TcpProxy proxy = TcpProxy.before(server);
        RunningShop behind =
            RunningShop.start(
                List.of(RecordingConfiguration.class),
                "outledger.schema-initialization=always",
                "management.endpoints.web.exposure.include=outledger",
                "spring.datasource.hikari.connection-timeout=5000",
                "spring.datasource.url="
                    + RunningShop.database()
                        .replace(":" + server + "/", ":" + proxy.port() + "/"))) {
      OutledgerEndpoint endpoint = behind.bean(OutledgerEndpoint.class);
      assertThat(overview(endpoint).subscriptions()).isNotNull();
      proxy.refuse();
      for (WebEndpointResponse<Object> answer :
          List.of(endpoint.overview(), endpoint.parked("recording"))) {
        assertThat(answer.getStatus()).isEqualTo(503);
        assertThat(answer.getBody()).asString().contains("error=OUT-016");
      }
    }
  }

  @Test
  void anInboxedMethodTakesEffectOnceWithWhatItAppends() {
    InboxedConfiguration.Payments payments = shop.bean(InboxedConfiguration.Payments.class);
    assertThatThrownBy(() -> payments.pay("p-1", false)).hasMessage("a bad payment");
    assertThat(payments.pay("p-1", true)).isEqualTo("paid");
    assertThat(payments.pay("p-1", true)).isNull();
    assertThat(rows("payments", "p-1")).isOne();
    assertThat(stored(jdbc(), "p-1")).isOne();
  }

  @Test
  void theTraceOfAnAppendGoesOnInTheHandler() {
    String trace =
        Observation.createNotStarted("request", shop.bean(ObservationRegistry.class))
            .observe(
                () -> {
                  shop.bean(OrderService.class).place("o-12", 1);
                  return String.valueOf(MDC.get("traceId"));
                });
    assertThat(trace).hasSize(32);
    assertThat(
            jdbc()
                .sql("SELECT headers::text FROM outledger_message WHERE message_key = 'o-12'")
                .query(String.class)
                .list())
        .anySatisfy(headers -> assertThat(headers).contains("traceparent", trace));
    HandlerConfiguration.Handlers handlers = shop.bean(HandlerConfiguration.Handlers.class);
    Await.until("o-12 is audited", SOON, () -> !handlers.trace("o-12").isEmpty());
    assertThat(handlers.trace("o-12")).isEqualTo(trace);
  }

  @Test
  void changesAreOffByDefault() {
    assertThat(shop.context().getBeanNamesForType(OutledgerRequestsEndpoint.class)).isEmpty();
  }

  @Test
  void theStarterSaysWhetherRelaysGetOn() {
    assertThat(shop.context().containsBean("outledgerHealthIndicator")).isTrue();
  }

  private static OutledgerEndpoint.Overview overview(OutledgerEndpoint endpoint) {
    return (OutledgerEndpoint.Overview) endpoint.overview().getBody();
  }

  private JdbcClient jdbc() {
    return shop.bean(JdbcClient.class);
  }

  private int rows(String table, String key) {
    return jdbc()
        .sql("SELECT count(*) FROM " + table + " WHERE order_id = ?")
        .param(key)
        .query(Integer.class)
        .single();
  }

  private TransactionTemplate transaction(int propagation) {
    TransactionTemplate template =
        new TransactionTemplate(shop.bean(PlatformTransactionManager.class));
    template.setPropagationBehavior(propagation);
    return template;
  }

  private static int stored(JdbcClient jdbc, String key) {
    return jdbc.sql("SELECT count(*) FROM outledger_message WHERE message_key = ?")
        .param(key)
        .query(Integer.class)
        .single();
  }

  private long published(String key) {
    return shop.bean(RecordingPublisher.class).arrivals().stream()
        .map(RecordingPublisher.Arrival::message)
        .filter(message -> message.topic().equals("orders"))
        .map(Message::key)
        .filter(key::equals)
        .count();
  }
}
