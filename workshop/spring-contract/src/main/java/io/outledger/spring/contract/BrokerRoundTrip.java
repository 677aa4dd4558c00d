// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.spring.boot.InboxListener;
import io.outledger.spring.contract.shop.OrderPlaced;
import io.outledger.spring.contract.shop.OrderService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * An order is placed, published to a broker and received from it, all as properties say: those of a
 * broker's page, below "With Spring Boot".
 */
public abstract class BrokerRoundTrip {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Pattern QUICK_START =
      Pattern.compile("## With Spring Boot\n.*?```properties\n(.*?)```", Pattern.DOTALL);

  /** Creates it. */
  protected BrokerRoundTrip() {}

  /**
   * Returns the properties of a page's quick start, and some that take the place of its addresses.
   *
   * @param page such as {@code rabbitmq}
   */
  protected static List<String> documented(String page, String... addresses) {
    Path file = root().resolve("docs").resolve(page + ".md");
    try {
      Matcher found = QUICK_START.matcher(Files.readString(file, UTF_8));
      assertThat(found.find()).as("%s has a quick start", file).isTrue();
      List<String> lines = new ArrayList<>(found.group(1).lines().toList());
      for (String address : addresses) {
        String name = address.substring(0, address.indexOf('=') + 1);
        lines.removeIf(line -> line.startsWith(name));
        lines.add(address);
      }
      lines.add("outledger.schema-initialization=always");
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("docs"))) {
      folder = Objects.requireNonNull(folder.getParent(), "docs is above every module");
    }
    return folder;
  }

  /** Has an order travel from one end to the other. */
  protected final void travels(List<String> properties) {
    travels(List.of(), properties);
  }

  /** Has an order travel, with further beans of the application. */
  protected final void travels(List<Class<?>> configuration, List<String> properties) {
    List<Class<?>> all = new ArrayList<>(configuration);
    all.add(Consumer.class);
    try (RunningShop shop = RunningShop.start(all, properties.toArray(String[]::new))) {
      shop.bean(OrderService.class).place("o-1", 1990);
      shop.bean(OrderService.class).place("o-2", 1991);
      Await.until(
          "both orders have arrived", SOON, () -> arrived(shop).equals(List.of("o-1", "o-2")));
    }
  }

  /** The consumer of the documents. */
  @Configuration(proxyBeanMethods = false)
  static class Consumer {

    /** Notes what has arrived. */
    static class Billing {

      private final JdbcClient jdbc;

      Billing(JdbcClient jdbc) {
        this.jdbc = jdbc;
      }

      /** Notes one. */
      @InboxListener("billing")
      void bill(OrderPlaced order) {
        jdbc.sql("INSERT INTO mails (order_id) VALUES (?)").param(order.orderId()).update();
      }
    }

    @Bean
    Billing billing(JdbcClient jdbc) {
      return new Billing(jdbc);
    }
  }

  private static List<String> arrived(RunningShop shop) {
    return shop.bean(JdbcClient.class)
        .sql("SELECT order_id FROM mails ORDER BY order_id")
        .query(String.class)
        .list();
  }
}
