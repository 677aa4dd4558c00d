// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.examples.springshop.orders.Order;
import io.outledger.examples.springshop.orders.OrderService;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.SagaQuery;
import io.outledger.jdbc.admin.Scheduled;
import io.outledger.jdbc.admin.ScheduledQuery;
import io.outledger.saga.SagaId;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Every order comes to its end: shipped, or cancelled with its payment given back. */
class SpringShopIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void everyOrderComesToItsEnd() {
    try (ConfigurableApplicationContext shop =
        new SpringApplicationBuilder(SpringShop.class)
            .run(
                "--spring.datasource.url="
                    + Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()),
                "--spring.kafka.bootstrap-servers=" + KafkaBroker.shared().bootstrapServers(),
                "--spring.main.banner-mode=off",
                "--order=good,1990,Harbour Street 1",
                "--order=expensive,200000,Harbour Street 2",
                "--order=nowhere,500,",
                "--order=unpaid,0,Harbour Street 3")) {
      OrderService orders = shop.getBean(OrderService.class);
      JdbcClient jdbc = shop.getBean(JdbcClient.class);
      Await.until("three mails are queued", SOON, () -> mails(jdbc).size() == 3);
      assertThat(orders.status("unpaid")).isEqualTo(Order.Status.PLACED);
      Outledger outledger = shop.getBean(Outledger.class);
      Await.until(
          "only the unpaid one waits", SOON, () -> waiting(outledger).equals(List.of("unpaid")));
      assertThat(outledger.admin().sagas().why(new SagaId("fulfilment", "unpaid")))
          .contains("for the payment; its time-out payment comes at ");
      timeOut(outledger);
      Await.until("all mails are queued", SOON, () -> mails(jdbc).size() == 4);
      Await.until(
          () -> "all is counted: " + counts(jdbc), SOON, () -> counts(jdbc).equals(expected()));
      assertThat(waiting(outledger)).isEmpty();
      assertThat(orders.status("good")).isEqualTo(Order.Status.COMPLETED);
      assertThat(mails(jdbc))
          .containsExactlyInAnyOrder(
              "good order.completed",
              "expensive order.cancelled",
              "nowhere order.cancelled",
              "unpaid order.cancelled");
      assertThat(outledger.sagas().passedOver().keySet())
          .noneMatch(each -> each.contains("too late"));
    }
  }

  /** Returns the orders whose sagas have not ended. */
  private static List<String> waiting(Outledger outledger) {
    return outledger.admin().sagas().list(SagaQuery.ALL).rows().stream()
        .map(saga -> saga.id().key())
        .toList();
  }

  /** Has the only time-out that waits come now, as an operator would. */
  private static void timeOut(Outledger outledger) {
    List<Scheduled> waiting = outledger.admin().scheduled(ScheduledQuery.ALL).rows();
    assertThat(waiting).hasSize(1);
    DeliverNow request = DeliverNow.id(UUID.fromString(waiting.get(0).message().id()));
    outledger.requests().ask(request.by("test", "15 minutes are long"));
  }

  private static Map<String, Long> expected() {
    return Map.ofEntries(
        Map.entry("order.placed", 4L),
        Map.entry("payment.requested", 4L),
        Map.entry("payment.missing", 1L),
        Map.entry("refund.requested", 2L),
        Map.entry("order.paid", 2L),
        Map.entry("order.completed", 1L),
        Map.entry("order.cancelled", 3L),
        Map.entry("payment.taken", 2L),
        Map.entry("payment.refused", 1L),
        Map.entry("payment.refunded", 1L),
        Map.entry("parcel.shipped", 1L),
        Map.entry("parcel.refused", 1L));
  }

  private static List<String> mails(JdbcClient jdbc) {
    return jdbc.sql("SELECT order_id || ' ' || about FROM shop_mail").query(String.class).list();
  }

  private static Map<String, Long> counts(JdbcClient jdbc) {
    return jdbc.sql("SELECT type, total FROM shop_count")
        .query(
            rows -> {
              Map<String, Long> counts = new HashMap<>();
              while (rows.next()) {
                counts.put(rows.getString(1), rows.getLong(2));
              }
              return counts;
            });
  }
}
