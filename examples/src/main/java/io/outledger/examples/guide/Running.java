// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.jdbc.Outledger;
import io.outledger.receive.RunningReceiver;

/** How the guide's application ends. */
final class Running {

  private Running() {}

  static void stopAtTheEnd(HikariDataSource pool, Outledger outledger, RunningReceiver receiver) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  receiver.close(); // 1. nothing new comes in; what is being processed ends
                  outledger.close(); // 2. relays settle what is in flight; retention ends
                  pool.close(); // 3. nobody needs connections any more
                },
                "shutdown"));
  }
}
