// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.jdbc.Outledger;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.kafka.KafkaReceiver;
import java.util.Map;
import javax.sql.DataSource;

/** What the guide's application runs. */
final class Relays {

  private Relays() {}

  static void toKafka(Outledger outledger, Map<String, String> settings) {
    outledger.relay("kafka").to(KafkaPublisher.with(settings)).start();
  }

  static void inItsOwnProcess(DataSource dataSource, Map<String, String> settings) {
    var outledger = Outledger.builder(dataSource).build();
    outledger.relay("kafka").to(KafkaPublisher.with(settings)).start();
    Runtime.getRuntime().addShutdownHook(new Thread(outledger::close));
  }

  static void toHandlers(Outledger outledger, Mails mails, Audit audit) {
    outledger
        .relay("handlers")
        .handler(
            "mail",
            h ->
                h.on(
                    OrderPlaced.class,
                    (order, context) -> mails.queue(context.connection(), order)))
        .handler("audit", (connection, message) -> audit.write(connection, message))
        .start();
  }

  static void fromKafka(Outledger outledger, Map<String, String> settings, Stock stock) {
    var handler =
        outledger
            .inbox("inventory")
            .handler(
                h ->
                    h.on(
                        OrderPlaced.class,
                        (order, context) -> {
                          stock.reserve(context.connection(), order);
                          context.outbox().append(new StockReserved(order.orderId()));
                        }));
    KafkaReceiver.with(settings).topics("orders").start(handler);
  }
}
