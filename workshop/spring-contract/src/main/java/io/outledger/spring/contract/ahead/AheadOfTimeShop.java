// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.ahead;

import io.outledger.servers.Await;
import io.outledger.spring.contract.HandlerConfiguration;
import io.outledger.spring.contract.InboxedConfiguration;
import io.outledger.spring.contract.RecordingConfiguration;
import io.outledger.spring.contract.shop.OrderService;
import io.outledger.spring.contract.shop.ShopApplication;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Places an order in a process of its own, and ends when it was published and handled. */
@SpringBootApplication(scanBasePackageClasses = ShopApplication.class)
@Import({RecordingConfiguration.class, HandlerConfiguration.class, InboxedConfiguration.class})
public class AheadOfTimeShop {

  /** Creates it. */
  public AheadOfTimeShop() {}

  /** What it prints when all is done. */
  public static final String DONE = "published, handled and taken once";

  /** Starts it. */
  public static void main(String[] args) {
    SpringApplication application = new SpringApplication(AheadOfTimeShop.class);
    application.setDefaultProperties(
        Map.of(
            "outledger.schema-initialization", "always",
            "outledger.events.packages", "io.outledger.spring.contract.shop"));
    try (ConfigurableApplicationContext context = application.run(args)) {
      context.getBean(OrderService.class).place("o-1", 1);
      JdbcClient jdbc = context.getBean(JdbcClient.class);
      RecordingPublisher published = context.getBean(RecordingPublisher.class);
      Await.until(
          "the order is published and its mail is queued",
          Duration.ofSeconds(30),
          () ->
              !published.arrivals().isEmpty()
                  && jdbc.sql("SELECT count(*) FROM mails").query(Integer.class).single() == 1);
      InboxedConfiguration.Payments payments = context.getBean(InboxedConfiguration.Payments.class);
      if (payments.pay("p-1", true) != null && payments.pay("p-1", true) == null) {
        System.out.println(DONE);
      }
    }
  }
}
