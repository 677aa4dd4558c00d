// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Properties;

/**
 * How the services find one another, their databases and the broker: by files of settings.
 *
 * @param folder where the files are
 * @param servers what the services work on
 * @param ordersPort where the order service listens
 * @param orders the order service's ledger
 * @param inventory the inventory service's ledger
 */
record Wiring(Path folder, Servers servers, int ordersPort, Ledger orders, Ledger inventory) {

  /** What the services work on. */
  record Servers(DemoDatabase database, DemoBroker broker) {}

  /** Returns where orders are placed. */
  URI ordersUri() {
    return URI.create("http://127.0.0.1:" + ordersPort + "/orders");
  }

  /** Returns a service's process, which is not started yet. */
  ServiceProcess process(String name, Class<?> main, Path... settings) {
    return new ServiceProcess(name, main, folder, List.of(settings), line -> heard(name, line));
  }

  /**
   * Writes a file of settings.
   *
   * @param name of the file
   * @param database {@code orders} or {@code inventory}
   * @param connections how many its pool has
   */
  Path settings(String name, String database, int connections) {
    Properties settings = new Properties();
    settings.putAll(servers.database().settings(database));
    settings.setProperty("database.connections", Integer.toString(connections));
    settings.putAll(servers.broker().settings());
    settings.setProperty("port", Integer.toString(ordersPort));
    try {
      Path file =
          Files.createFile(
              folder.resolve(name + ".properties"),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try (BufferedWriter out = Files.newBufferedWriter(file)) {
        settings.store(out, null);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void heard(String process, String line) {
    orders.heard(process, line);
    inventory.heard(process, line);
  }
}
