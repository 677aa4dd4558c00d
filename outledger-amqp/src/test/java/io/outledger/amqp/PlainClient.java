// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.servers.Artemis;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.SenderOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;

/** Somebody else at the shared broker, who uses Qpid's client as it is. */
final class PlainClient implements AutoCloseable {

  private static final String QUEUE = "queue";

  private final Client client = Client.create();
  private final Connection connection;

  PlainClient() throws ClientException {
    ConnectionOptions options =
        new ConnectionOptions().user(Artemis.USER).password(Artemis.PASSWORD);
    connection = client.connect("127.0.0.1", SharedArtemis.port(), options);
  }

  /** Sends a message, and returns when the broker has it. */
  void send(String queue, Message<?> message) throws ClientException {
    SenderOptions options = new SenderOptions();
    options.targetOptions().capabilities(QUEUE);
    try (Sender sender = connection.openSender(queue, options)) {
      sender.send(message).awaitAccepted(30, TimeUnit.SECONDS);
    }
  }

  /** Takes the next message out of a queue; null if none comes. */
  @Nullable Message<?> take(String queue) throws ClientException {
    ReceiverOptions options = new ReceiverOptions();
    options.sourceOptions().capabilities(QUEUE);
    try (Receiver receiver = connection.openReceiver(queue, options)) {
      Delivery delivery = receiver.receive(10, TimeUnit.SECONDS);
      return delivery == null ? null : delivery.message();
    }
  }

  @Override
  public void close() {
    connection.close();
    client.close();
  }
}
