// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.contracts.Fuzz;
import io.outledger.servers.Artemis;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.StreamSender;
import org.apache.qpid.protonj2.client.StreamSenderMessage;
import org.apache.qpid.protonj2.client.StreamSenderOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.AmqpSequence;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.jspecify.annotations.Nullable;

/** Sends messages of AMQP 1.0 whose bytes nobody has checked. */
final class AmqpStrangers implements AutoCloseable {

  private static final int DEEP = 5_000;

  private final String queue;
  private @Nullable Client client;
  private @Nullable Connection connection;
  private @Nullable StreamSender sender;

  AmqpStrangers(String queue) {
    this.queue = queue;
  }

  Map<String, Runnable> named() {
    Map<String, byte[]> bodies = new LinkedHashMap<>();
    bodies.put("no CloudEvent", encoded(new Data(new Binary(new byte[] {1}))));
    bodies.put("no body", encoded());
    bodies.put("a value", encoded(new AmqpValue<>("text")));
    bodies.put("a sequence", encoded(new AmqpSequence<>(List.of(1, "two"))));
    bodies.put("lists nested deep", nested(in -> List.of(in)));
    bodies.put("maps nested deep", nested(in -> Map.of("", in)));
    bodies.put("data that is shorter than it says", section(0x75, new byte[] {(byte) 0xa0, 99, 1}));
    bodies.put("data that is huge", section(0x75, new byte[] {(byte) 0xb0, 127, -1, -1, -1, 1}));
    bodies.put(
        "list of huge count", section(0x76, new byte[] {(byte) 0xd0, 0, 0, 0, 4, 127, 0, 0, 0}));
    bodies.put("array of nothing, huge", section(0x77, array()));
    bodies.put("section of no kind", section(0x7f, new byte[] {(byte) 0xa0, 1, 1}));
    Map<String, Runnable> strangers = new LinkedHashMap<>();
    bodies.forEach((name, bytes) -> strangers.put(name, () -> sendTaken(name, bytes)));
    return strangers;
  }

  /** An array of two thousand million nulls, in ten bytes. */
  private static byte[] array() {
    return new byte[] {(byte) 0xf0, 0, 0, 0, 5, 127, -1, -1, -1, 0x40};
  }

  private static byte[] section(int descriptor, byte[] value) {
    byte[] header = encoded();
    byte[] all = new byte[header.length + 3 + value.length];
    System.arraycopy(header, 0, all, 0, header.length);
    all[header.length] = 0;
    all[header.length + 1] = 0x53;
    all[header.length + 2] = (byte) descriptor;
    System.arraycopy(value, 0, all, header.length + 3, value.length);
    return all;
  }

  private static byte[] nested(UnaryOperator<Object> around) {
    Object inside = "x";
    for (int i = 0; i < DEEP / 50; i++) {
      inside = around.apply(inside);
    }
    return encoded(new AmqpValue<>(inside));
  }

  private static byte[] encoded(Section<?>... sections) {
    Encoder encoder = CodecFactory.getDefaultEncoder();
    ProtonBuffer buffer = ProtonByteArrayBufferAllocator.allocator().allocate(1_024);
    encoder.writeObject(buffer, encoder.newEncoderState(), new Header().setDurable(true));
    for (Section<?> section : sections) {
      encoder.writeObject(buffer, encoder.newEncoderState(), section);
    }
    byte[] bytes = new byte[buffer.getReadableBytes()];
    buffer.readBytes(bytes, 0, bytes.length);
    return bytes;
  }

  private void sendTaken(String name, byte[] message) {
    if (!send(message)) {
      throw new AssertionError("the broker refused " + name);
    }
  }

  boolean send(Fuzz fuzz) {
    Map<String, Object> texts = new HashMap<>();
    fuzz.headers("cloudEvents_", () -> fuzz.textWithout("_AMQ_"))
        .forEach((name, text) -> texts.put(name, fuzz.isOneIn(20) ? fuzz.number() : text));
    byte[] payload = fuzz.bytes(fuzz.isOneIn(50) ? 100_000 : 100);
    Section<?> body =
        fuzz.isOneIn(3) ? new AmqpValue<>(fuzz.text()) : new Data(new Binary(payload));
    byte[] whole = encoded(new ApplicationProperties(texts), body);
    if (!fuzz.isOneIn(2)) {
      return send(whole);
    }
    int header = encoded().length; // with which it may expire
    byte[] rest = fuzz.mutated(java.util.Arrays.copyOfRange(whole, header, whole.length));
    byte[] all = java.util.Arrays.copyOf(whole, header + rest.length);
    System.arraycopy(rest, 0, all, header, rest.length);
    return send(all);
  }

  private boolean send(byte[] bytes) {
    try {
      StreamSenderMessage message = open().beginMessage();
      try (OutputStream out = message.rawOutputStream()) {
        out.write(bytes);
      }
      message.tracker().awaitSettlement(10, TimeUnit.SECONDS);
      return message.tracker().remoteSettled() && message.tracker().remoteState().isAccepted();
    } catch (ClientException | IOException e) { // the broker hung up
      close();
      return false;
    }
  }

  private StreamSender open() throws ClientException {
    StreamSender open = sender;
    if (open == null) {
      Client made = Client.create();
      client = made;
      Connection connected =
          made.connect(
              "127.0.0.1",
              SharedArtemis.port(),
              new ConnectionOptions().user(Artemis.USER).password(Artemis.PASSWORD));
      connection = connected;
      StreamSenderOptions options = new StreamSenderOptions();
      options.targetOptions().capabilities("queue");
      open = connected.openStreamSender(queue, options);
      sender = open;
    }
    return open;
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
    if (client != null) {
      client.close();
    }
    sender = null;
    connection = null;
    client = null;
  }
}
