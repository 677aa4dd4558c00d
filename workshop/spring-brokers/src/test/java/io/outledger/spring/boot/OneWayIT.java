// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpServer;
import io.outledger.mail.Mail;
import io.outledger.mail.MailMapper;
import io.outledger.servers.Await;
import io.outledger.spring.contract.BrokerRoundTrip;
import io.outledger.spring.contract.RunningShop;
import io.outledger.spring.contract.shop.OrderService;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The quick starts of what is not received from: webhooks and mails. */
class OneWayIT extends BrokerRoundTrip {

  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void anOrderIsPostedToAWebhookAndSigned() throws IOException {
    Queue<String> posted = new ConcurrentLinkedQueue<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/hooks/orders",
        exchange -> {
          String signature = exchange.getRequestHeaders().getFirst("webhook-signature");
          posted.add(signature + " " + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    try {
      place(
          List.of(),
          documented(
              "webhook",
              "outledger.publishers.crm.webhook.url=http://127.0.0.1:"
                  + server.getAddress().getPort()
                  + "/hooks/orders",
              "outledger.publishers.crm.webhook.own-network=true",
              "CRM_SECRET=" + Base64.getEncoder().encodeToString(new byte[32])),
          () -> !posted.isEmpty());
    } finally {
      server.stop(0);
    }
    assertThat(posted.element()).startsWith("v1,").contains("\"order.placed\"", "\"o-1\"");
  }

  /** What the page shows. */
  @Configuration(proxyBeanMethods = false)
  static class Mails {

    @Bean
    MailMapper mails() {
      return message ->
          Mail.to(message.key() + "@example.org")
              .subject("Your order has been placed")
              .text("Thank you. We will tell you when it is on its way.");
    }
  }

  @Test
  void anOrderBecomesANotice() throws Exception {
    MimeMessage mail = mailed(List.of(), OneWayIT::documentedMails);
    assertThat(mail.getAllRecipients()[0]).hasToString("team@example.org");
    assertThat(mail.getFrom()[0]).hasToString("orders@example.org");
    assertThat(mail.getSubject()).isEqualTo("order.placed o-1");
    assertThat(GreenMailUtil.getBody(mail)).contains("\"o-1\"");
  }

  @Test
  void anOrderBecomesAMailOfTheApplicationsOwn() throws Exception {
    MimeMessage mail =
        mailed(
            List.of(Mails.class),
            server ->
                documentedMails(server).stream()
                    .filter(line -> !line.startsWith("outledger.publishers.mails.mail.to="))
                    .toList());
    assertThat(mail.getAllRecipients()[0]).hasToString("o-1@example.org");
    assertThat(mail.getSubject()).isEqualTo("Your order has been placed");
  }

  private static List<String> documentedMails(GreenMail server) {
    return documented("mail", "spring.mail.port=" + server.getSmtp().getPort());
  }

  private static MimeMessage mailed(
      List<Class<?>> configuration, Function<GreenMail, List<String>> properties) {
    GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    server.start();
    try {
      place(configuration, properties.apply(server), () -> server.getReceivedMessages().length > 0);
      return server.getReceivedMessages()[0];
    } finally {
      server.stop();
    }
  }

  private static void place(
      List<Class<?>> configuration, List<String> properties, Await.Condition arrived) {
    try (RunningShop shop = RunningShop.start(configuration, properties.toArray(String[]::new))) {
      shop.bean(OrderService.class).place("o-1", 1990);
      Await.until("the order has arrived", SOON, arrived);
    }
  }
}
