// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.Reader;
import io.outledger.servers.Await;
import io.outledger.spring.boot.InboxListener;
import io.outledger.spring.boot.OutledgerEndpoint;
import io.outledger.spring.boot.OutledgerRequestsEndpoint;
import io.outledger.spring.contract.shop.MailQueued;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.ParameterValueMapper;
import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.actuate.endpoint.web.WebEndpointHttpMethod;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.WebOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpointDiscoverer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What methods with {@link InboxListener} promise on every line of Spring Boot. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class InboxListenerContract {

  private static final Duration SOON = Duration.ofSeconds(30);

  private RunningShop shop;
  private MemoryReceiver orders;

  /** Creates it. */
  protected InboxListenerContract() {}

  @BeforeAll
  void start() {
    shop =
        RunningShop.start(
            List.of(ListenerConfiguration.class),
            "spring.jmx.enabled=true",
            "management.endpoints.jmx.exposure.include=*",
            "management.endpoint.outledgerrequests.access=unrestricted",
            "outledger.schema-initialization=always");
    orders = shop.bean(MemoryReceiver.class);
  }

  @AfterAll
  void stop() {
    shop.close();
  }

  @Test
  void aMessageThatComesTwiceTakesEffectOnceWithWhatItAppends() {
    Message placed = message(new OrderPlaced("o-1", 1));
    orders.send(placed);
    orders.send(placed);
    untilReceived();
    assertThat(rows("payments", "o-1")).isOne();
    assertThat(appended("o-1")).isOne();
  }

  @Test
  void whatFailsIsParkedWithItsKeyAndTakesEffectInOrderOnceItsTableIsBack() {
    jdbc().sql("ALTER TABLE payments RENAME TO gone").update();
    orders.send(message(new OrderPlaced("o-2", 1)));
    orders.send(message(new MailQueued("o-2")));
    orders.send(message(new MailQueued("o-3")));
    untilReceived();
    assertThat(rows("audits", "o-3 of null")).as("another key goes on").isOne();
    assertThat(rows("audits", "o-2 of null")).as("a later message of its key waits").isZero();
    jdbc().sql("ALTER TABLE gone RENAME TO payments").update();
    Await.until("both take effect", SOON, () -> rows("audits", "o-2 of null") == 1);
    assertThat(rows("payments", "o-2")).isOne();
    assertThat(parked("o-2")).isEmpty();
  }

  @Test
  void aMessageThatAlwaysFailsLeavesNoTraceAndIsKept() {
    orders.send(message(new OrderPlaced("o-4", -1)));
    untilReceived();
    Await.until(
        "it was tried again",
        SOON,
        () -> shop.bean(ListenerConfiguration.Billing.class).attempts().contains(2));
    assertThat(rows("payments", "o-4")).isZero();
    assertThat(appended("o-4")).isZero();
    assertThat(parked("o-4"))
        .singleElement()
        .satisfies(each -> assertThat(each.error()).contains("a negative bill"));
  }

  @Test
  void theEndpointTellsOfConsumersAndOfNamesThatAreNotThere() {
    OutledgerEndpoint endpoint = shop.bean(OutledgerEndpoint.class);
    orders.send(message(new OrderPlaced("o-8", -1)));
    untilReceived();
    assertThat(endpoint.overview().getBody())
        .isInstanceOfSatisfying(
            OutledgerEndpoint.Overview.class,
            overview -> assertThat(overview.receivers()).containsEntry("billing", "running"));
    assertThat(String.valueOf(endpoint.parked("billing").getBody())).contains("key=o-8");
    WebEndpointResponse<Object> unknown = endpoint.parked("bling");
    assertThat(unknown.getStatus()).isEqualTo(404);
    assertThat(unknown.getBody())
        .asString()
        .contains(
            "no subscription \"bling\"", "consumers that this process listens for: \"billing\"");
  }

  @Test
  void aConsumerHasNoRoutesThatARequestCouldName() {
    OutledgerRequestsEndpoint requests = shop.bean(OutledgerRequestsEndpoint.class);
    for (WebEndpointResponse<Object> answer :
        List.of(
            requests.retry("billing", 1, "mail", null),
            requests.discard("billing", 1, "mail", null))) {
      assertThat(answer.getStatus()).isEqualTo(404);
      assertThat(answer.getBody())
          .asString()
          .contains("no route \"mail\" in which message 1 of consumer \"billing\" is parked");
    }
    assertThat(requests.retry("billing", Long.MAX_VALUE, null, null).getBody()).isEqualTo(false);
  }

  @Test
  void theAuditSaysWhoAskedOverHttpAndWhy() {
    orders.send(message(new OrderPlaced("o-9", -1)));
    untilReceived();
    String number = String.valueOf(parked("o-9").get(0).place().number());
    Map<String, Object> arguments =
        Map.of("subscription", "billing", "position", number, "reason", "the bill was corrected");
    assertThat(overHttp(WebEndpointHttpMethod.POST, () -> "anna", arguments)).isEqualTo(true);
    assertThat(asked("retry")).isEqualTo("anna: the bill was corrected");
    assertThat(
            overHttp(
                WebEndpointHttpMethod.DELETE,
                null,
                Map.of("subscription", "billing", "position", number)))
        .isEqualTo(true);
    assertThat(
            overHttp(
                WebEndpointHttpMethod.DELETE, null, Map.of("subscription", "billing", "n", number)))
        .asString()
        .contains("position is missing");
    assertThat(asked("discard")).isEqualTo("actuator: by the actuator endpoint, without a reason");
  }

  private String asked(String verb) {
    return jdbc()
        .sql(
            "SELECT asked_by || ': ' || reason FROM outledger_request WHERE verb = ?"
                + " ORDER BY asked_at DESC LIMIT 1")
        .param(verb)
        .query(String.class)
        .single();
  }

  /** Calls the endpoint as Boot's web layer does, with the principal that it has authenticated. */
  private Object overHttp(
      WebEndpointHttpMethod method, @Nullable Principal principal, Map<String, Object> arguments) {
    WebEndpointDiscoverer web =
        new WebEndpointDiscoverer(
            shop.context(),
            ParameterValueMapper.NONE,
            EndpointMediaTypes.DEFAULT,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    WebOperation operation =
        web.getEndpoints().stream()
            .filter(each -> each.getEndpointId().equals(EndpointId.of("outledgerrequests")))
            .flatMap(each -> each.getOperations().stream())
            .filter(each -> each.getRequestPredicate().getHttpMethod() == method)
            .filter(each -> each.getRequestPredicate().getPath().endsWith("/{subscription}"))
            .findFirst()
            .orElseThrow();
    SecurityContext security =
        new SecurityContext() {
          @Override
          public @Nullable Principal getPrincipal() {
            return principal;
          }

          @Override
          public boolean isUserInRole(String role) {
            return false;
          }
        };
    WebEndpointResponse<?> answer =
        (WebEndpointResponse<?>) operation.invoke(new InvocationContext(security, arguments));
    return answer.getBody();
  }

  @Test
  void theTenantIsKnownBeforeTheTransactionBeginsAndComesFromWhoAppended() {
    ListenerConfiguration.Tenant tenant = shop.bean(ListenerConfiguration.Tenant.class);
    tenant.set("acme");
    new TransactionTemplate(shop.bean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> shop.bean(Outbox.class).append(new MailQueued("of a tenant")));
    tenant.set(null);
    assertThat(
            jdbc()
                .sql(
                    "SELECT headers::text FROM outledger_message WHERE message_key = 'of a tenant'")
                .query(String.class)
                .single())
        .contains("tenant=acme");

    orders.send(message(new MailQueued("o-5")).copy().header("tenant", "acme").build());
    orders.send(message(new MailQueued("o-6")).copy().header("tenant", "globex").build());
    untilReceived();
    assertThat(rows("audits", "o-5 of acme")).isOne();
    assertThat(rows("audits", "o-6 of globex")).isOne();
  }

  @Test
  void aStoppedContextReceivesNothingUntilItStartsAgain() {
    shop.context().stop();
    orders.send(message(new OrderPlaced("o-7", 1)));
    assertThat(orders.pending()).isOne();
    shop.context().start();
    untilReceived();
    assertThat(rows("payments", "o-7")).isOne();
  }

  @Test
  void aListenerWhoseBrokerIsNotKnownStopsTheStart() {
    assertThatThrownBy(
            () ->
                RunningShop.start(List.of(Unknown.class), "outledger.schema-initialization=always")
                    .close())
        .rootCause()
        .hasMessageContaining("OUT-021")
        .hasMessageContaining("outledger.receivers.reporting.kafka.topics");
  }

  @Test
  void aListenerMayCloseItsOwnContext() {
    Message placed = message(new OrderPlaced("o-9", 1));
    try (RunningShop closing =
        RunningShop.start(List.of(Closing.class), "outledger.schema-initialization=always")) {
      closing.bean(MemoryReceiver.class).send(placed);
      Await.until("it is closed", SOON, () -> !closing.context().isActive());
    }
  }

  @Test
  void aListenerBehindADataSourceThatRoutesStopsTheStart() {
    assertThatThrownBy(
            () ->
                RunningShop.start(
                        List.of(Routed.class, ListenerConfiguration.class),
                        "outledger.schema-initialization=always")
                    .close())
        .rootCause()
        .hasMessageContaining("OUT-021")
        .hasMessageContaining("behind a data source that routes");
  }

  /** A listener that ends its application. */
  @Configuration(proxyBeanMethods = false)
  static class Closing {

    /** Closes. */
    static class Last {

      private final ConfigurableApplicationContext context;

      Last(ConfigurableApplicationContext context) {
        this.context = context;
      }

      /** Closes. */
      @InboxListener("closing")
      void close(OrderPlaced order) {
        context.close();
      }
    }

    @Bean
    MemoryReceiver closing() {
      return new MemoryReceiver();
    }

    @Bean
    Last last(ConfigurableApplicationContext context) {
      return new Last(context);
    }
  }

  /** A data source that routes, if only to one target. */
  @Configuration(proxyBeanMethods = false)
  static class Routed {

    @Bean
    DataSource routed(@Value("${spring.datasource.url}") String url) {
      AbstractRoutingDataSource routing =
          new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
              return "one";
            }
          };
      routing.setTargetDataSources(Map.of("one", new DriverManagerDataSource(url)));
      return routing;
    }
  }

  /** A listener without a receiver. */
  @Configuration(proxyBeanMethods = false)
  static class Unknown {

    /** Reports. */
    static class Reporting {

      /** Reports. */
      @InboxListener("reporting")
      void report(OrderPlaced order) {}
    }

    @Bean
    Reporting reporting() {
      return new Reporting();
    }
  }

  private void untilReceived() {
    Await.until("everything is acknowledged", SOON, () -> orders.pending() == 0);
  }

  private Message message(Object event) {
    return shop.bean(Outledger.class).events().message(event);
  }

  private List<Parked> parked(String key) {
    return shop
        .bean(Outledger.class)
        .admin()
        .parked(ParkedQuery.of(Reader.consumer("billing")))
        .rows()
        .stream()
        .filter(each -> key.equals(each.message().key()))
        .toList();
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

  private int appended(String key) {
    return jdbc()
        .sql("SELECT count(*) FROM outledger_message WHERE message_key = ?")
        .param(key)
        .query(Integer.class)
        .single();
  }
}
