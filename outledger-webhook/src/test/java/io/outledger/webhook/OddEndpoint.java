// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** An endpoint that answers every request with the same bytes, and perhaps goes on without end. */
final class OddEndpoint implements AutoCloseable {

  private final ServerSocket socket;
  private final byte[] answer;
  private final byte[] thenWithoutEnd;
  private final boolean thenIsSilent;
  private final AtomicInteger requests = new AtomicInteger();

  OddEndpoint(String answer, String thenWithoutEnd) {
    this(answer, thenWithoutEnd, false);
  }

  private OddEndpoint(String answer, String thenWithoutEnd, boolean thenIsSilent) {
    this.thenIsSilent = thenIsSilent;
    this.answer = answer.getBytes(US_ASCII);
    this.thenWithoutEnd = thenWithoutEnd.getBytes(US_ASCII);
    try {
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread accepting = new Thread(this::accept, "odd endpoint");
    accepting.setDaemon(true);
    accepting.start();
  }

  /** Returns one that takes every request, begins to answer and never comes to an end of it. */
  static OddEndpoint falteringForEver() {
    return new OddEndpoint("HTTP/1.1 200 OK\r\nX: ", "", true);
  }

  /** Returns one that answers with a status and headers, and no body. */
  static OddEndpoint answering(int status, String... headers) {
    StringBuilder answer = new StringBuilder("HTTP/1.1 " + status + " x\r\n");
    for (String header : headers) {
      answer.append(header).append("\r\n");
    }
    return new OddEndpoint(answer + "Content-Length: 0\r\nConnection: close\r\n\r\n", "");
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/");
  }

  int requests() {
    return requests.get();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket accepted = socket.accept();
        Thread thread = new Thread(() -> serve(accepted), "odd endpoint's connection");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket accepted) {
    try (accepted) {
      readRequest(accepted.getInputStream());
      requests.incrementAndGet();
      accepted.getOutputStream().write(answer);
      if (thenIsSilent) {
        accepted.getInputStream().read(); // until the client gives up
      }
      while (thenWithoutEnd.length > 0) {
        accepted.getOutputStream().write(thenWithoutEnd);
        if (accepted.getInputStream().available() < 0) {
          return;
        }
      }
    } catch (IOException e) {
      return; // the client has cut it off, as it should
    }
  }

  private static void readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.read());
    }
    String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
    String length = lower.substring(lower.indexOf("content-length: ") + 16).split("\r\n", 2)[0];
    in.readNBytes(Integer.parseInt(length));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
