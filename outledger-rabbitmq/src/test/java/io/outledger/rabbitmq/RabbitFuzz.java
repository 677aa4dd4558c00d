// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.AMQConnection;
import com.rabbitmq.client.impl.AMQImpl;
import com.rabbitmq.client.impl.Frame;
import io.outledger.contracts.Fuzz;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Publishes messages by frames whose bytes nobody has checked. */
final class RabbitFuzz implements AutoCloseable {

  /** Class, weight and size of the payload: what comes behind is drawn. */
  private static final int FIXED_BYTES = 2 + 2 + 8;

  private final BlockingQueue<Boolean> answers = new LinkedBlockingQueue<>();
  private @Nullable Connection connection;
  private @Nullable Channel channel;
  private @Nullable Socket socket;

  boolean send(String queue, Fuzz fuzz) {
    try {
      Channel open = open();
      AMQConnection line = (AMQConnection) open.getConnection();
      byte[] payload = fuzz.bytes(fuzz.isOneIn(50) ? 100_000 : 100);
      int number = open.getChannelNumber();
      line.writeFrame(publish(queue, number));
      line.writeFrame(header(fuzz, number, payload.length));
      if (payload.length > 0) {
        line.writeFrame(frame(AMQP.FRAME_BODY, number, payload));
      }
      line.flush();
      Boolean taken = answers.poll(10, TimeUnit.SECONDS);
      return taken != null && taken;
    } catch (IOException | RuntimeException e) { // the broker hung up
      close();
      return false;
    } catch (TimeoutException e) {
      throw new AssertionError("cannot connect", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static Frame publish(String queue, int channel) throws IOException {
    return new AMQImpl.Basic.Publish(0, "", queue, false, false).toFrame(channel);
  }

  private static Frame header(Fuzz fuzz, int channel, int size) throws IOException {
    Map<String, Object> headers = new HashMap<>();
    fuzz.headers("cloudEvents_", () -> odd(fuzz)).forEach(headers::put);
    if (fuzz.isOneIn(3)) {
      headers.put(odd(fuzz), value(fuzz, 0));
    }
    BasicProperties properties =
        new BasicProperties.Builder()
            .deliveryMode(2)
            .contentType(odd(fuzz))
            .headers(headers)
            .build();
    byte[] valid = properties.toFrame(channel, size).getPayload();
    if (!fuzz.isOneIn(3)) {
      return frame(AMQP.FRAME_HEADER, channel, valid);
    }
    byte[] drawn = fuzz.mutated(Arrays.copyOfRange(valid, FIXED_BYTES, valid.length));
    byte[] all =
        ByteBuffer.allocate(FIXED_BYTES + drawn.length)
            .put(valid, 0, FIXED_BYTES)
            .put(drawn)
            .array();
    return frame(AMQP.FRAME_HEADER, channel, all);
  }

  /** Those that are made of their bytes cannot be written. */
  private static Frame frame(int type, int channel, byte[] payload) throws IOException {
    Frame frame = new Frame(type, channel);
    frame.getOutputStream().write(payload);
    return frame;
  }

  /** No longer than a short string of the protocol is. */
  private static String odd(Fuzz fuzz) {
    String text = fuzz.text();
    return text.length() > 60 ? text.substring(0, 60) : text;
  }

  private static Object value(Fuzz fuzz, int depth) {
    return switch (fuzz.below(depth > 50 ? 4 : 7)) {
      case 0 -> fuzz.number();
      case 1 -> fuzz.bytes(50);
      case 2 -> (long) fuzz.number();
      case 3 -> fuzz.isOneIn(2);
      case 4 -> odd(fuzz);
      case 5 -> List.of(value(fuzz, depth + 1), value(fuzz, depth + 1));
      default -> Map.of("in", value(fuzz, depth + 1));
    };
  }

  private Channel open() throws IOException, TimeoutException {
    Channel open = channel;
    if (open == null) {
      answers.clear();
      ConnectionFactory factory = SharedRabbit.factory(SharedRabbit.SERVER.port());
      factory.setSocketConfigurator(used -> socket = used);
      Connection made = factory.newConnection("fuzz");
      connection = made;
      open = made.createChannel();
      open.confirmSelect();
      open.addConfirmListener(
          (tag, multiple) -> answers.add(true), (tag, multiple) -> answers.add(false));
      open.addShutdownListener(cause -> answers.add(false));
      channel = open;
    }
    if (!open.isOpen()) {
      throw new IOException("closed");
    }
    return open;
  }

  @Override
  public void close() {
    if (connection != null) {
      hangUp();
      connection.abort(1_000);
    }
    connection = null;
    channel = null;
  }

  /** The broker lets those wait for seconds that have sent what it cannot read. */
  private void hangUp() {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      throw new AssertionError("cannot close", e);
    }
  }
}
