// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import com.sun.net.httpserver.HttpServer;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.webhook.WebhookEndpoint;
import io.outledger.webhook.WebhookPublisher;
import io.outledger.webhook.WebhookReader;
import io.outledger.webhook.WebhookRefusedException;
import io.outledger.webhook.WebhookSecret;
import java.net.URI;
import java.sql.Connection;

/** The programs of docs/webhook.md. */
final class Webhooks {

  private final Outledger outledger;

  Webhooks(Outledger outledger) {
    this.outledger = outledger;
  }

  /** What a received message is for. */
  interface Orders {
    void note(Connection connection, Received message);
  }

  void send(String secret) {
    outledger
        .relay("crm")
        .to(
            WebhookPublisher.to(
                WebhookEndpoint.at(URI.create("https://crm.example.org/hooks/orders"))
                    .signedWith(
                        WebhookSecret.of(
                            secret)))) // whsec_ and what 'openssl rand -base64 32' prints
        .start();
  }

  WebhookPublisher toSeveral(
      URI crm, WebhookSecret crmSecret, URI bookkeeping, WebhookSecret bookkeepingSecret) {
    return WebhookPublisher.byTopic()
        .endpoint("orders", WebhookEndpoint.at(crm).signedWith(crmSecret))
        .endpoint("invoices", WebhookEndpoint.at(bookkeeping).signedWith(bookkeepingSecret));
  }

  void receive(HttpServer server, String secret, Orders orders) {
    WebhookReader reader = WebhookReader.of("shop", WebhookSecret.of(secret));

    server.createContext(
        "/hooks/orders",
        exchange -> {
          byte[] body = exchange.getRequestBody().readNBytes(1 << 20);
          int status = 204;
          try {
            Received message = reader.read(exchange.getRequestHeaders(), body);
            outledger
                .transactions()
                .run(
                    connection ->
                        outledger
                            .inbox("crm")
                            .process(connection, message, () -> orders.note(connection, message)));
          } catch (WebhookRefusedException e) {
            status = e.status();
          }
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
  }
}
