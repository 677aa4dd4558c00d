// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;

/** What strangers may publish by a raw socket, and the server stores as it stands. */
final class NatsStrangers {

  private static final String CONNECT =
      "CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true}\r\n";

  private NatsStrangers() {}

  static Map<String, Runnable> to(int port, String subject) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("no CloudEvent", "NATS/1.0\r\na: b\r\n\r\n");
    headers.put("no colon", "NATS/1.0\r\nnocolonhere\r\n\r\n");
    headers.put("another protocol", "HTTP/1.1\r\na: b\r\n\r\n");
    headers.put("status of a pull", "NATS/1.0 409 Consumer Deleted\r\n\r\n");
    headers.put("status of a heartbeat", "NATS/1.0 100 Idle\r\n\r\n");
    headers.put("no responders", "NATS/1.0 503\r\n\r\n");
    headers.put("no end", "NATS/1.0\r\na: b");
    headers.put("name that is not ASCII", "NATS/1.0\r\nn\u00e4me: v\r\n\r\n");
    headers.put("name that is empty", "NATS/1.0\r\n: v\r\n\r\n");
    Map<String, Runnable> strangers = new LinkedHashMap<>();
    headers.forEach((name, block) -> strangers.put(name, () -> send(port, subject, block)));
    return strangers;
  }

  private static void send(int port, String subject, String headers) {
    byte[] block = headers.getBytes(UTF_8);
    byte[] payload = "stranger".getBytes(UTF_8);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      OutputStream out = socket.getOutputStream();
      String sizes = " " + block.length + " " + (block.length + payload.length) + "\r\n";
      out.write((CONNECT + "HPUB " + subject + sizes).getBytes(UTF_8));
      out.write(block);
      out.write(payload);
      out.write("\r\nPING\r\n".getBytes(UTF_8));
      for (String line = in.readLine(); !"PONG".equals(line); line = in.readLine()) {
        if (line == null || line.startsWith("-ERR")) {
          throw new AssertionError("the server refused it: " + line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
