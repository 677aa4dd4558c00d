// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import io.outledger.servers.InnoDbReplica;
import io.outledger.servers.InnoDbServer;
import io.outledger.servers.TcpProxy;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An address that leads to a replica, before and after that takes the place of its server. */
@Tag("long")
class ReplicaIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String[] LOG = {"--log-bin=binlog", "--binlog-format=ROW"};

  @ParameterizedTest
  @EnumSource
  void relayIsRefusedByAReplicaAndGoesOnThereOnceItIsPromoted(ChangeFilesIT.On product)
      throws SQLException {
    Queue<RelayEvent> events = new ConcurrentLinkedQueue<>();
    RecordingPublisher publisher = new RecordingPublisher();
    try (InnoDbServer primary = product.start(LOG);
        TcpProxy line = TcpProxy.before(primary.port())) {
      TestDatabase database = TestDatabase.on(primary, product.product()).withTables();
      String schema = database.tables().schema();
      try (InnoDbReplica replica = InnoDbReplica.of(primary, primary.another(LOG), schema);
          Outledger outledger =
              Outledger.builder(database.dataSourceOver(line)).withoutRetention().build()) {
        outledger.relay("kafka").listener(events::add).to(publisher).start();
        append(database, "a");
        awaitPublished(publisher, "a");
        line.leadTo(replica.server().port());
        append(database, "b");
        Await.until(() -> "the relay is refused: " + events, PATIENCE, () -> isRefused(events));
        replica.catchUp();
        assertThat(replica.error()).isEmpty();
        assertThat(texts(publisher)).containsOnly("a");
        line.leadTo(primary.port());
        awaitPublished(publisher, "b");
        rollBack(database); // the replica gives out its number again
        line.leadTo(replica.takeOver().port());
        outledger.outbox().inNewTransaction(message("c"));
        awaitPublished(publisher, "c");
        assertThat(texts(publisher)).containsOnly("a", "b", "c");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatReplicatesIsRefusedAlsoWhereItTakesWrites(ChangeFilesIT.On product) throws SQLException {
    try (InnoDbServer primary = product.start(LOG)) {
      TestDatabase database = TestDatabase.on(primary, product.product()).withTables();
      String schema = database.tables().schema();
      try (InnoDbReplica replica = InnoDbReplica.of(primary, primary.another(LOG), schema);
          Connection connection = replica.server().connect(schema);
          Statement statement = connection.createStatement()) {
        statement.execute("SET GLOBAL read_only = OFF");
        replica.catchUp();
        assertThatThrownBy(() -> MySqlSettings.check(connection, database.tables()))
            .hasMessageContaining("the server replicates another server");
        try (Connection ofPrimary = primary.connect(schema)) {
          assertThatCode(() -> MySqlSettings.check(ofPrimary, database.tables()))
              .doesNotThrowAnyException();
        }
      }
    }
  }

  private static void append(TestDatabase database, String text) {
    try (Outledger outledger =
        Outledger.builder(database.dataSource()).withoutRetention().build()) {
      outledger.outbox().inNewTransaction(message(text));
    }
  }

  private static void rollBack(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      new AppendStatement(database.tables()).append(connection, List.of(message("rolled back")));
      connection.rollback();
    }
  }

  private static boolean isRefused(Queue<RelayEvent> events) {
    return events.stream()
        .anyMatch(
            event ->
                event instanceof RelayEvent.Refused refused
                    && refused.toString().contains("read_only"));
  }

  private static void awaitPublished(RecordingPublisher publisher, String text) {
    Await.until(
        () -> text + " is published: " + texts(publisher),
        PATIENCE,
        () -> texts(publisher).contains(text));
  }

  private static List<String> texts(RecordingPublisher publisher) {
    return publisher.messages().stream().map(each -> new String(each.payload(), UTF_8)).toList();
  }

  private static Message message(String text) {
    return Message.to("orders", "placed").key(text).payload(text.getBytes(UTF_8)).build();
  }
}
