// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A handler whose own statement fails as if the database were down is at fault. H2 goes on with a
 * transaction of which a statement has failed.
 */
final class HarmfulHandlersIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final TestH2 database = TestH2.create();
  private final Outledger outledger = Outledger.builder(database.dataSource()).build();
  private final List<RelayEvent> told = new CopyOnWriteArrayList<>();
  private final Set<String> handled = ConcurrentHashMap.newKeySet();

  @AfterEach
  void close() throws SQLException {
    outledger.close();
    database.close();
  }

  private void append(String key) {
    outledger.outbox().inNewTransaction(Message.to("orders", "placed").key(key).build());
  }

  private void handle(Connection connection, Message message) throws SQLException {
    if ("harmed".equals(message.key())) {
      try (Statement work = connection.createStatement()) {
        work.execute("CALL far_server(TRUE)");
      }
    }
    handled.add(String.valueOf(message.key()));
  }

  @Test
  void messageWhoseStatementFailsLikeALostConnectionIsParkedAndTheOthersContinue() {
    FarServer.addTo(database);
    append("harmed");
    append("other");
    try (Relay relay =
        outledger.relay("app").listener(told::add).handler("stock", this::handle).build()) {
      Await.until(
          () -> "one is parked and the other handled; " + told,
          PATIENCE,
          () -> {
            relay.step();
            return handled.contains("other")
                && told.stream().anyMatch(RelayEvent.Parked.class::isInstance);
          });
    }
    assertThat(told.stream().filter(RelayEvent.OutageBegan.class::isInstance)).hasSize(4);
    assertThat(told.toString()).contains("session ended or failed 5 or more", "far server is down");
    assertThat(handled).doesNotContain("harmed");
  }
}
