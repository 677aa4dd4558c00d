// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.util.ArrayDeque;
import java.util.Deque;

/** What is still open when the JVM ends normally: closed then, the youngest first. Thread-safe. */
final class Shutdown {
  private static final Deque<AutoCloseable> OPEN = new ArrayDeque<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Shutdown::closeAll, "servers-shutdown"));
  }

  private Shutdown() {}

  static void closeLater(AutoCloseable server) {
    synchronized (OPEN) {
      OPEN.push(server);
    }
  }

  static void forget(AutoCloseable server) {
    synchronized (OPEN) {
      OPEN.remove(server);
    }
  }

  private static void closeAll() {
    for (AutoCloseable server = next(); server != null; server = next()) {
      try {
        server.close();
      } catch (Exception | AssertionError e) {
        System.err.println("A server was not closed well: " + e);
      }
    }
  }

  @org.jspecify.annotations.Nullable
  private static AutoCloseable next() {
    synchronized (OPEN) {
      return OPEN.poll();
    }
  }
}
