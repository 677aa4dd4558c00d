// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One client's connection through a {@link TcpProxy}: two sockets and a thread each way. */
final class ProxiedConnection {
  private static final int PIECE_BYTES_MAX = 64 * 1024;
  private static final int WAYS = 2;

  private final TcpProxy proxy;
  private final Socket client;
  private final Socket server;
  private final CountDownLatch isCut = new CountDownLatch(1);
  private final AtomicInteger openWays = new AtomicInteger(WAYS);
  private volatile boolean hasLost;
  private String sentLast = ""; // by the client, so that a text is found that comes in two pieces

  ProxiedConnection(TcpProxy proxy, Socket client, Socket server) {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
  }

  void start() {
    run("proxy-requests-" + client.getPort(), () -> carry(client, server, true));
    run("proxy-replies-" + client.getPort(), () -> carry(server, client, false));
  }

  boolean hasLost() {
    return hasLost;
  }

  void cut() {
    isCut.countDown();
    reset(client);
    reset(server);
    proxy.forget(this);
  }

  static void run(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Closes a socket so that its other end sees a reset and not an orderly end. */
  static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (SocketException e) {
      return; // it is closed already
    }
    close(socket);
  }

  static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void carry(Socket from, Socket to, boolean isRequest) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] piece = new byte[PIECE_BYTES_MAX];
      for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
        pass(piece, length, out, isRequest);
      }
      to.shutdownOutput();
      endOneWay();
    } catch (IOException e) {
      cut(); // one side broke, so the other must see it
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cut();
    }
  }

  private void pass(byte[] piece, int length, OutputStream out, boolean isRequest)
      throws IOException, InterruptedException {
    TcpProxy.Fault fault = proxy.fault();
    if (!fault.delay().equals(Duration.ZERO)
        && isCut.await(fault.delay().toMillis(), TimeUnit.MILLISECONDS)) {
      return;
    }
    String cutsAt = fault.cutsAt();
    if (isRequest && cutsAt != null) {
      String sent = sentLast + new String(piece, 0, length, StandardCharsets.ISO_8859_1);
      if (sent.contains(cutsAt)) {
        throw new IOException("it is not to pass");
      }
      sentLast = sent.substring(Math.max(0, sent.length() - cutsAt.length()));
    }
    if (isRequest ? fault.losesRequests() : fault.losesReplies()) {
      hasLost = true;
    } else {
      out.write(piece, 0, length);
    }
  }

  private void endOneWay() {
    if (openWays.decrementAndGet() == 0) {
      close(client);
      close(server);
      proxy.forget(this);
    }
  }
}
