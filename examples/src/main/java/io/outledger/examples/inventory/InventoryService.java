// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.inventory;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.examples.RelayVoice;
import io.outledger.examples.Settings;
import io.outledger.examples.SqlScript;
import io.outledger.examples.contract.Contract;
import io.outledger.examples.contract.OrderPlaced;
import io.outledger.examples.messaging.Messaging;
import io.outledger.inbox.BatchHandler;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.receive.RunningReceiver;
import io.outledger.relay.RunningRelay;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Reserves stock for what was ordered. Its relay runs in the same process, so that a commit wakes
 * it at once.
 */
public final class InventoryService {

  private static final Duration LEASE = Duration.ofSeconds(2);

  private InventoryService() {}

  /**
   * Runs the service until the process ends.
   *
   * @param args the settings file
   */
  public static void main(String[] args) throws Exception {
    start(Settings.of(args[0]));
    System.out.println("ready");
  }

  /** Starts the service in this process. */
  public static void start(Settings settings) throws SQLException {
    HikariDataSource database = settings.database();
    SqlScript.run(database, InventoryService.class, "inventory.sql");
    Outledger outledger = connect(database);
    Messaging broker = Messaging.of(settings);

    RunningRelay relay =
        outledger
            .relay("broker")
            .to(broker.publisher("/inventory"))
            .options(options -> options.lease(LEASE))
            .listener(new RelayVoice("inventory"))
            .start();

    ReserveStock stock = new ReserveStock();
    BatchHandler handler =
        outledger.inbox("inventory").handler(h -> h.on(OrderPlaced.class, stock::handle));
    RunningReceiver receiver = broker.receive(Contract.ORDERS, "inventory", handler);

    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(receiver, relay), "shutdown"));
  }

  private static Outledger connect(HikariDataSource database) {
    Schema.of(database).apply(database);
    return Outledger.builder(database)
        .events(Contract::register)
        .serializer(JacksonSerializer.create())
        .build();
  }

  private static void stop(RunningReceiver receiver, RunningRelay relay) {
    receiver.close();
    relay.close();
  }
}
