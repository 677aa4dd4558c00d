// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.contracts.Fuzz;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** Publishes messages with any headers by a raw socket. */
final class NatsFuzz implements AutoCloseable {

  private static final String OPTIONS =
      "{\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true}";

  private static final String HELLO = "CONNECT " + OPTIONS + "\r\nSUB answers 1\r\n";

  private final int port;
  private @Nullable Socket socket;
  private @Nullable BufferedReader answers;

  NatsFuzz(int port) {
    this.port = port;
  }

  boolean send(String subject, Fuzz fuzz) {
    byte[] headers = headers(fuzz);
    byte[] payload = fuzz.bytes(fuzz.isOneIn(50) ? 100_000 : 100);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String sizes = headers.length + " " + (headers.length + payload.length);
    bytes.writeBytes(("HPUB " + subject + " answers " + sizes + "\r\n").getBytes(UTF_8));
    bytes.writeBytes(headers);
    bytes.writeBytes(payload);
    bytes.writeBytes("\r\nPING\r\n".getBytes(UTF_8));
    try {
      open().getOutputStream().write(bytes.toByteArray());
      return isStored();
    } catch (IOException e) { // the server hung up
      close();
      return false;
    }
  }

  private static byte[] headers(Fuzz fuzz) {
    StringBuilder block = new StringBuilder("NATS/1.0\r\n");
    fuzz.headers("ce-", () -> fuzz.textWithout("\r\n|Nats-"))
        .forEach((name, value) -> block.append(name).append(": ").append(value).append("\r\n"));
    byte[] bytes = block.append("\r\n").toString().getBytes(UTF_8);
    // The client ends at most of these, and each costs the receiver a connection.
    return fuzz.isOneIn(20) ? fuzz.mutated(bytes) : bytes;
  }

  private Socket open() throws IOException {
    Socket open = socket;
    if (open == null) {
      open = new Socket(InetAddress.getLoopbackAddress(), port);
      open.setSoTimeout(10_000);
      open.getOutputStream().write(HELLO.getBytes(UTF_8));
      socket = open;
      answers = new BufferedReader(new InputStreamReader(open.getInputStream(), UTF_8));
    }
    return open;
  }

  /** The stream answers what it has stored, and does so after the server has answered a ping. */
  private boolean isStored() throws IOException {
    BufferedReader lines = answers;
    for (String line = next(lines); ; line = next(lines)) {
      if (line.startsWith("-ERR")) {
        throw new IOException(line);
      }
      if (line.startsWith("{\"error")) {
        return false;
      }
      if (line.startsWith("{\"stream")) {
        return !line.contains("\"duplicate\"");
      }
    }
  }

  private static String next(@Nullable BufferedReader lines) throws IOException {
    String line = lines == null ? null : lines.readLine();
    if (line == null) {
      throw new IOException("closed");
    }
    return line;
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
