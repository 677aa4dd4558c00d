// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Free TCP ports on loopback. */
public final class Ports {
  /**
   * Below the ports that systems give to outgoing connections. One of those could be taken by any
   * client while its server is down, even by a client that tries to reach that very server.
   */
  private static final int LOWEST = 12_000;

  private static final int HIGHEST = 32_000;
  private static final int TRIES_MAX = 100;

  private Ports() {}

  /**
   * Finds a port of 127.0.0.1 that was free a moment ago, and that is no port of outgoing
   * connections. Another server may take it before the caller does, so whoever binds it must be
   * ready to ask for another.
   *
   * @return the port, chosen at random
   */
  public static int free() {
    try (ServerSocket socket = listen()) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A socket that listens on a free port of 127.0.0.1. */
  static ServerSocket listen() throws IOException {
    BindException allTaken = new BindException("No free port from " + LOWEST + " to " + HIGHEST);
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      try {
        return listen(ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST));
      } catch (BindException e) {
        allTaken.addSuppressed(e);
      }
    }
    throw allTaken;
  }

  /** A socket that listens on a port of 127.0.0.1. */
  static ServerSocket listen(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(loopback(), port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  static InetAddress loopback() throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
  }
}
