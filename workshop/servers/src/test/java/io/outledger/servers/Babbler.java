// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

/** A main class for tests: says its arguments, starts servers if told to, and runs on. */
final class Babbler {
  private Babbler() {}

  public static void main(String[] args) {
    for (String arg : args) {
      switch (arg) {
        case "exit" -> System.exit(3);
        case "heap" -> System.out.println(Runtime.getRuntime().maxMemory() >> 20);
        case "secret" -> System.out.println(System.getenv("TOLD"));
        case "property" -> System.out.println(System.getProperty("told"));
        case "postgres" -> System.out.println("postmaster " + Postgres.start().pid());
        case "folder" -> System.out.println("folder " + Scratch.folder("babbler"));
        case "stubborn" -> Runtime.getRuntime().addShutdownHook(new Thread(Babbler::hang));
        default -> System.err.println(arg);
      }
    }
    System.out.println("ready");
    hang();
  }

  private static void hang() {
    Object forever = new Object();
    synchronized (forever) {
      try {
        while (true) {
          forever.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
