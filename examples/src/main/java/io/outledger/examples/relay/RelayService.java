// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.relay;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.examples.RelayVoice;
import io.outledger.examples.Settings;
import io.outledger.examples.messaging.Messaging;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import java.time.Duration;

/**
 * Publishes the order service's events. Start as many as you like: one publishes, the others stand
 * by and take over when its lease lapses.
 */
public final class RelayService {

  private static final Duration LEASE = Duration.ofSeconds(2);

  private RelayService() {}

  /**
   * Runs the relay until the process ends.
   *
   * @param args the settings file
   */
  public static void main(String[] args) throws Exception {
    start(Settings.of(args[0]));
    System.out.println("ready");
  }

  /** Starts the relay in this process. */
  public static void start(Settings settings) {
    HikariDataSource database = settings.database();
    Outledger outledger = Outledger.builder(database).build();

    RunningRelay relay =
        outledger
            .relay("broker")
            .to(Messaging.of(settings).publisher("/orders"))
            .options(options -> options.lease(LEASE))
            .listener(new RelayVoice("orders"))
            .start();

    Runtime.getRuntime().addShutdownHook(new Thread(relay::close, "shutdown"));
  }
}
