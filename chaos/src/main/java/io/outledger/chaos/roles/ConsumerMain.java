// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.inbox.BatchHandler;
import io.outledger.jdbc.Outledger;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.receive.RunningReceiver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

/** A process that receives through an inbox and has one effect for each message. */
public final class ConsumerMain {

  private ConsumerMain() {}

  /** Runs until it is stopped or killed. */
  public static void main(String... args) {
    RoleSettings settings = RoleSettings.of(args);
    Outledger outledger = Outledger.builder(settings.dataSource()).build();
    BatchHandler handler =
        outledger
            .inbox(RoleSettings.CONSUMER)
            .handler(
                (connection, message) ->
                    effect(connection, settings.sql().value(UUID.fromString(message.id()))));
    RunningReceiver receiver =
        KafkaReceiver.with(
                Map.of(
                    "bootstrap.servers",
                    settings.bootstrapServers(),
                    "group.id",
                    settings.group(),
                    "session.timeout.ms",
                    "6000"))
            .topics(RoleSettings.TOPIC)
            .start(new WitnessedBatchHandler(handler, settings.batches()));
    RoleSettings.onStop(receiver::close);
    RoleSettings.say(RoleSettings.READY);
  }

  private static void effect(Connection connection, Object id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect (consumer, message_id) VALUES (?, ?)")) {
      insert.setString(1, RoleSettings.CONSUMER);
      insert.setObject(2, id);
      insert.executeUpdate();
    }
  }
}
