// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.shop;

import io.outledger.examples.Settings;
import org.h2.tools.Server;

/** The shop in one process on H2, whose server lets other processes see the same databases. */
public final class ShopOnH2 {

  private ShopOnH2() {}

  /**
   * Runs the services until the process ends.
   *
   * @param args as for {@link ShopInOneProcess}
   */
  public static void main(String[] args) throws Exception {
    Settings settings = Settings.of(args[0]);
    System.setProperty("h2.bindAddress", "127.0.0.1");
    Server.createTcpServer(
            "-tcpPort", settings.text("h2.port"), "-baseDir", settings.text("h2.folder"))
        .start();
    ShopInOneProcess.main(args);
  }
}
