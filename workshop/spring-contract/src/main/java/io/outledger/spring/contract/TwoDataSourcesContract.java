// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Outbox;
import io.outledger.servers.Await;
import io.outledger.spring.boot.OutledgerEndpoint;
import io.outledger.spring.boot.OutledgerRequestsEndpoint;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.OrderService;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The ledger is not in the primary data source, and operators may change things. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class TwoDataSourcesContract {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private RunningShop shop;

  /** Creates it. */
  protected TwoDataSourcesContract() {}

  @BeforeAll
  void start() {
    shop =
        RunningShop.start(
            List.of(TwoDatabases.class, HandlerConfiguration.class, InboxedConfiguration.class),
            "outledger.schema-initialization=always",
            TwoDatabases.LEDGER,
            "spring.jmx.enabled=true",
            "management.endpoints.jmx.exposure.include=*",
            "management.endpoint.outledgerrequests.access=unrestricted");
  }

  @AfterAll
  void stop() {
    shop.close();
  }

  @Test
  void aHandlerRunsInATransactionOfTheLedgersDataSource() {
    ordersTransaction().executeWithoutResult(status -> append("o-1"));
    Await.until("the mail is queued", PATIENCE, () -> rows("mails", "o-1") == 1);
  }

  @Test
  void anInboxedMethodRunsInATransactionOfTheLedgersDataSource() {
    InboxedConfiguration.Payments payments = shop.bean(InboxedConfiguration.Payments.class);
    assertThat(payments.pay("p-1", true)).isEqualTo("paid");
    assertThat(payments.pay("p-1", true)).isNull();
    assertThat(rows("payments", "p-1")).isOne();
  }

  @Test
  void theTransactionOfTheOtherDataSourceIsRefused() {
    assertThatThrownBy(() -> shop.bean(OrderService.class).place("o-2", 1))
        .hasMessageContaining("OUT-001")
        .hasMessageContaining("name the manager");
  }

  @Test
  void operatorsMayChangeThingsWhereThatIsSet() {
    awaitSubscription();
    assertThat(shop.context().getBeanNamesForType(OutledgerEndpoint.class)).hasSize(1);
    OutledgerRequestsEndpoint requests = shop.bean(OutledgerRequestsEndpoint.class);
    assertThat(requests.retry("handlers", 1, "mail", null).getBody()).isEqualTo(false);
    assertThat(requests.discard("handlers", 1, null, null).getBody()).isEqualTo(false);
    WebEndpointResponse<Object> unknown = requests.retry("hanlders", 1, null, null);
    assertThat(unknown.getStatus()).isEqualTo(404);
    assertThat(unknown.getBody()).asString().contains("OUT-025", "\"hanlders\"", "\"handlers\"");
    WebEndpointResponse<Object> route = requests.retry("handlers", 1, "mial", null);
    assertThat(route.getStatus()).isEqualTo(404);
    assertThat(route.getBody()).asString().contains("OUT-025", "\"mial\"", "\"mail\"");
  }

  @Test
  void operatorsMayPauseAndResumeASubscription() {
    awaitSubscription();
    OutledgerRequestsEndpoint requests = shop.bean(OutledgerRequestsEndpoint.class);
    assertThat(requests.change("handlers", "pause", "mail", "the vendor is down").getBody())
        .asString()
        .contains("state=done");
    String paused = "SELECT reason FROM outledger_pause WHERE NOT ended";
    assertThat(ledger(paused)).containsExactly("the vendor is down");
    assertThat(requests.change("handlers", "resume", "mail", null).getStatus()).isEqualTo(200);
    assertThat(ledger(paused)).isEmpty();
    WebEndpointResponse<Object> unknown = requests.change("handlers", "move", null, null);
    assertThat(unknown.getStatus()).isEqualTo(400);
    assertThat(unknown.getBody()).asString().contains("no verb move", "pause and resume");
    assertThat(requests.change("hanlders", "pause", null, null).getStatus()).isEqualTo(404);
  }

  /** The relay makes it when it starts. */
  private void awaitSubscription() {
    Await.until(
        "the subscription exists",
        PATIENCE,
        () -> ledger("SELECT subscription FROM outledger_subscription").contains("handlers"));
  }

  private List<String> ledger(String sql) {
    return shop.bean(JdbcClient.class).sql(sql).query(String.class).list();
  }

  private void append(String orderId) {
    shop.bean(Outbox.class).append(new OrderPlaced(orderId, 1));
  }

  private TransactionTemplate ordersTransaction() {
    return new TransactionTemplate(
        shop.context().getBean(TwoDatabases.LEDGERS_MANAGER, PlatformTransactionManager.class));
  }

  private int rows(String table, String key) {
    return shop.bean(JdbcClient.class)
        .sql("SELECT count(*) FROM " + table + " WHERE order_id = ?")
        .param(key)
        .query(Integer.class)
        .single();
  }
}
