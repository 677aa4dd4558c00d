// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Outbox;
import io.outledger.servers.Await;
import io.outledger.spring.boot.OutboxHandler;
import io.outledger.spring.contract.shop.MailQueued;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.OrderService;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An old and a new version of an application on one database, in either order. */
public abstract class RollOutContract {

  private static final Duration SOON = Duration.ofMinutes(2);

  private final String url = "spring.datasource.url=" + RunningShop.database();

  /** Creates it. */
  protected RollOutContract() {}

  /** What both versions handle. */
  static final class Billing {

    private final JdbcClient jdbc;

    Billing(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    @OutboxHandler("billing")
    void bill(OrderPlaced order) {
      jdbc.sql("INSERT INTO payments (order_id) VALUES (?)").param(order.orderId()).update();
    }
  }

  /** What the new version handles besides: one more handler, and one more type. */
  static final class Mailing {

    private final JdbcClient jdbc;
    private final Outbox outbox;

    Mailing(JdbcClient jdbc, Outbox outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    @OutboxHandler("mailing")
    void queue(OrderPlaced order) {
      jdbc.sql("INSERT INTO mails (order_id) VALUES (?)").param(order.orderId()).update();
      outbox.append(new MailQueued(order.orderId()));
    }

    @OutboxHandler("auditing")
    void audit(MailQueued mail) {
      jdbc.sql("INSERT INTO audits (order_id) VALUES (?)").param(mail.orderId()).update();
    }
  }

  /** The old version's beans. */
  @Configuration(proxyBeanMethods = false)
  static class Old {

    @Bean
    Billing billing(JdbcClient jdbc) {
      return new Billing(jdbc);
    }
  }

  /** The beans that the new version has besides. */
  @Configuration(proxyBeanMethods = false)
  static class Added {

    @Bean
    Mailing mailing(JdbcClient jdbc, Outbox outbox) {
      return new Mailing(jdbc, outbox);
    }
  }

  private RunningShop old() {
    return RunningShop.start(List.of(Old.class), url, "outledger.schema-initialization=always");
  }

  private RunningShop young() {
    return RunningShop.start(
        List.of(Old.class, Added.class), url, "outledger.schema-initialization=always");
  }

  private static void place(RunningShop shop, int from, int to) {
    OrderService orders = shop.bean(OrderService.class);
    for (int i = from; i <= to; i++) {
      orders.place("o-" + i, 1);
    }
  }

  private static int rows(RunningShop shop, String table) {
    return shop.bean(JdbcClient.class)
        .sql("SELECT count(*) FROM " + table)
        .query(Integer.class)
        .single();
  }

  /** All three handlers have taken each order, once. */
  private static void awaitEffects(RunningShop shop, int orders) {
    for (String table : List.of("payments", "mails", "audits")) {
      Await.until(
          () -> rows(shop, table) + " of " + orders + " in " + table,
          SOON,
          () -> rows(shop, table) >= orders);
    }
    Await.until("nothing waits", SOON, () -> rows(shop, "outledger_parked") == 0);
    for (String table : List.of("payments", "mails", "audits")) {
      assertThat(rows(shop, table)).as(table).isEqualTo(orders);
    }
  }

  @Test
  void newHandlersMissNothingWhileTheOldVersionRunsBesideThem() {
    try (RunningShop young = beside(old())) {
      place(young, 11, 15);
      awaitEffects(young, 15);
    }
  }

  /** Starts the new version beside the old one, has both append, and ends the old one. */
  private RunningShop beside(RunningShop old) {
    try (old) {
      Await.until(
          "the old version has the lease",
          SOON,
          () -> rows(old, "outledger_lag WHERE running") == 1);
      RunningShop young = young();
      place(old, 1, 5);
      place(young, 6, 10);
      return young;
    }
  }

  @Test
  void newHandlersMissNothingWhereTheOldVersionComesBack() {
    try (RunningShop young = young()) {
      place(young, 1, 5);
      awaitEffects(young, 5);
    }
    try (RunningShop old = old()) {
      place(old, 6, 10);
      Await.until("the old version takes its part", SOON, () -> rows(old, "payments") == 10);
      assertThat(rows(old, "mails")).isEqualTo(5);
      try (RunningShop young = young()) {
        place(old, 11, 15);
        awaitEffects(young, 15);
      }
    }
  }
}
