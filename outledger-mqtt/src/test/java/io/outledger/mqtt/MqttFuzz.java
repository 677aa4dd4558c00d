// SPDX-License-Identifier: Apache-2.0
package io.outledger.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.contracts.Fuzz;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** Publishes packets of MQTT 5 with any properties by a raw socket. */
final class MqttFuzz implements AutoCloseable {

  private static final int CONNECT = 0x10;
  private static final int PUBLISH = 0x32;
  private static final int CONTENT_TYPE = 3;
  private static final int CORRELATION = 9;
  private static final int USER = 0x26;
  private static final int NO_ERROR_BELOW = 0x80;

  private final int port;
  private @Nullable Socket socket;

  MqttFuzz(int port) {
    this.port = port;
  }

  boolean send(String topic, Fuzz fuzz) {
    try {
      byte[] properties = properties(fuzz);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream packet = new DataOutputStream(bytes);
      text(packet, topic);
      packet.writeShort(1); // its number
      length(packet, properties.length);
      packet.write(properties);
      packet.write(fuzz.bytes(fuzz.isOneIn(50) ? 100_000 : 100));
      Socket open = open();
      write(open, PUBLISH, bytes.toByteArray());
      return answer(open) < NO_ERROR_BELOW;
    } catch (IOException e) { // the broker hung up
      close();
      return false;
    }
  }

  private static byte[] properties(Fuzz fuzz) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream properties = new DataOutputStream(bytes);
    for (var each : fuzz.headers("", () -> odd(fuzz)).entrySet()) {
      properties.writeByte(USER);
      text(properties, each.getKey());
      text(properties, each.getValue());
    }
    if (fuzz.isOneIn(3)) {
      properties.writeByte(fuzz.oneOf(CONTENT_TYPE, CORRELATION));
      text(properties, odd(fuzz));
    }
    return fuzz.isOneIn(4) ? fuzz.mutated(bytes.toByteArray()) : bytes.toByteArray();
  }

  /** Mostly what a broker takes, or it would only hang up. */
  private static String odd(Fuzz fuzz) {
    String text = fuzz.isOneIn(3) ? fuzz.text() : fuzz.textWithout("\\p{Cntrl}|\uFFFE");
    return text.length() > 20_000 ? text.substring(0, 20_000) : text;
  }

  private Socket open() throws IOException {
    Socket open = socket;
    if (open == null) {
      open = new Socket(InetAddress.getLoopbackAddress(), port);
      open.setSoTimeout(10_000);
      socket = open;
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream packet = new DataOutputStream(bytes);
      text(packet, "MQTT");
      packet.writeByte(5);
      packet.writeByte(2); // a clean start
      packet.writeShort(0);
      packet.writeByte(0);
      text(packet, "stranger");
      write(open, CONNECT, bytes.toByteArray());
      if (answer(open) >= NO_ERROR_BELOW) {
        throw new IOException("not connected");
      }
    }
    return open;
  }

  private static void text(DataOutputStream to, String text) throws IOException {
    byte[] utf8 = text.getBytes(UTF_8);
    to.writeShort(utf8.length);
    to.write(utf8);
  }

  private static void length(DataOutputStream to, int length) throws IOException {
    int left = length;
    do {
      int seven = left & 0x7f;
      left >>>= 7;
      to.writeByte(left == 0 ? seven : seven | 0x80);
    } while (left > 0);
  }

  private static void write(Socket to, int kind, byte[] packet) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(kind);
    length(out, packet.length);
    out.write(packet);
    to.getOutputStream().write(bytes.toByteArray());
  }

  /** Returns the reason code of an acknowledgement. */
  private static int answer(Socket from) throws IOException {
    DataInputStream in = new DataInputStream(from.getInputStream());
    int kind = in.readUnsignedByte();
    byte[] packet = new byte[in.readUnsignedByte()];
    in.readFully(packet);
    if (kind >> 4 == 14) {
      throw new IOException("disconnected");
    }
    boolean isAcknowledgement = kind >> 4 == 4;
    int at = isAcknowledgement ? 2 : 1;
    return packet.length > at ? packet[at] & 0xff : 0;
  }

  @Override
  public void close() {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      throw new AssertionError("cannot close", e);
    } finally {
      socket = null;
    }
  }
}
