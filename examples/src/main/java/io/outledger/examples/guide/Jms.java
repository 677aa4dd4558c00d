// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jms.JmsBroker;
import io.outledger.jms.JmsPublisher;
import io.outledger.jms.JmsReceiver;
import io.outledger.receive.RunningReceiver;
import jakarta.jms.ConnectionFactory;
import java.sql.Connection;

/** The programs of docs/jms.md. */
final class Jms {

  private final Outledger outledger;

  Jms(Outledger outledger) {
    this.outledger = outledger;
  }

  /** What a received message is for. */
  interface Orders {
    void note(Connection connection, Received message);
  }

  void send(ConnectionFactory factory, String password) {
    JmsBroker broker = JmsBroker.of("artemis", factory).login("shop", password);

    outledger
        .relay("broker")
        .to(JmsPublisher.toQueues(broker).source("https://shop.example.org"))
        .start();
  }

  RunningReceiver receive(JmsBroker broker, Orders orders) {
    var receiver =
        JmsReceiver.fromQueue(broker, "orders")
            .start(
                outledger
                    .inbox("billing")
                    .handler((connection, message) -> orders.note(connection, message)));
    return receiver;
  }
}
