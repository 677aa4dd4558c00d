// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.amqp.AmqpBroker;
import io.outledger.amqp.AmqpPublisher;
import io.outledger.amqp.AmqpReceiver;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Artemis;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
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
import org.apache.qpid.protonj2.client.Tracker;

/** A queue of Artemis by AMQP 1.0, with durable messages. */
final class MeasuredAmqp implements MeasuredBroker {

  private static final String QUEUE = "orders";
  private static final String KIND = "queue";
  private static final int WINDOW = 500;
  private static final long PATIENCE_SECONDS = 10;
  private static final long SILENCE_MS = 500;

  private final Artemis server = Artemis.startOpen("AMQP");

  /** What is done with a connection. */
  private interface Act<T> {
    T with(Connection connection) throws Exception;
  }

  @Override
  public String title() {
    return "Artemis by AMQP 1.0";
  }

  @Override
  public Publisher publisher() {
    return AmqpPublisher.to(broker()).capability(KIND);
  }

  @Override
  public RunningReceiver receive(BatchHandler handler) {
    return AmqpReceiver.from(broker(), QUEUE).capability(KIND).start(handler);
  }

  @Override
  public void sendBare(List<byte[]> payloads) throws Exception {
    act(
        connection -> {
          SenderOptions options = new SenderOptions();
          options.targetOptions().capabilities(KIND);
          Sender sender = connection.openSender(QUEUE, options);
          Deque<Tracker> onTheirWay = new ArrayDeque<>();
          for (byte[] payload : payloads) {
            if (onTheirWay.size() == WINDOW) {
              onTheirWay.remove().awaitAccepted(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            onTheirWay.add(sender.send(Message.create(payload).durable(true)));
          }
          for (Tracker each : onTheirWay) {
            each.awaitAccepted(PATIENCE_SECONDS, TimeUnit.SECONDS);
          }
          return payloads.size();
        });
  }

  @Override
  public void takeBare(int count, Work work) throws Exception {
    act(
        connection -> {
          Receiver receiver = receiver(connection);
          for (int taken = 0; taken < count; taken++) {
            Delivery delivery = receiver.receive(PATIENCE_SECONDS, TimeUnit.SECONDS);
            Message<byte[]> message = delivery.message();
            work.on(message.body());
            delivery.accept();
          }
          return count;
        });
  }

  /** Takes what is left. */
  @Override
  public void clear() throws Exception {
    act(
        connection -> {
          Receiver receiver = receiver(connection);
          int taken = 0;
          for (Delivery left = receiver.receive(SILENCE_MS, TimeUnit.MILLISECONDS);
              left != null;
              left = receiver.receive(SILENCE_MS, TimeUnit.MILLISECONDS)) {
            left.accept();
            taken++;
          }
          return taken;
        });
  }

  /** Empty: AMQP 1.0 has no such question. */
  @Override
  public OptionalLong count() {
    return OptionalLong.empty();
  }

  @Override
  public void close() {
    server.close();
  }

  private AmqpBroker broker() {
    return AmqpBroker.at("127.0.0.1", server.port())
        .client(client -> client.user(Artemis.USER).password(Artemis.PASSWORD));
  }

  private static Receiver receiver(Connection connection) throws Exception {
    ReceiverOptions options = new ReceiverOptions().autoAccept(false).creditWindow(WINDOW);
    options.sourceOptions().capabilities(KIND);
    return connection.openReceiver(QUEUE, options);
  }

  private <T> T act(Act<T> act) throws Exception {
    ConnectionOptions options =
        new ConnectionOptions().user(Artemis.USER).password(Artemis.PASSWORD);
    try (Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", server.port(), options)) {
      return act.with(connection);
    }
  }
}
