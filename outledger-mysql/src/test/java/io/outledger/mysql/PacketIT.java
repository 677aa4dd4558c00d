// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.servers.InnoDbServer;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a server takes in one packet, and what becomes of messages that come near to that. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PacketIT {

  private static final int PACKET = 4 << 20;

  /** What a driver writes as two where it writes values into a statement, and what it does not. */
  private static final byte[] BYTES = {0, '\n', '\r', 0x1a, '"', '\'', '\\', 'a', (byte) 0xff};

  private final Map<ChangeFilesIT.On, InnoDbServer> servers = new EnumMap<>(ChangeFilesIT.On.class);

  @SuppressWarnings("NullAway.Init") // each test opens one first
  private TestDatabase database;

  private void open(ChangeFilesIT.On product) {
    database =
        TestDatabase.on(
                servers.computeIfAbsent(product, PacketIT::start),
                product == ChangeFilesIT.On.MARIADB ? Product.MARIADB : Product.MYSQL)
            .withTables();
  }

  private static InnoDbServer start(ChangeFilesIT.On product) {
    String setting = "--max-allowed-packet=" + PACKET;
    return product == ChangeFilesIT.On.MARIADB
        ? io.outledger.servers.MariaDb.start(setting)
        : io.outledger.servers.MySql.start(setting);
  }

  @AfterAll
  void close() {
    servers.values().forEach(InnoDbServer::close);
  }

  private Connection begin() throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private void append(Connection transaction, Message... messages) throws SQLException {
    new AppendStatement(database.tables()).append(transaction, List.of(messages));
  }

  private static Message message(int bytes, byte each) {
    byte[] payload = new byte[bytes];
    Arrays.fill(payload, each);
    return Message.to("orders", "placed").payload(payload).build();
  }

  private long count() {
    return database.number("SELECT COUNT(*) FROM {schema}.outledger_message");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsTooLargeIsKnownBeforeItIsSent(ChangeFilesIT.On product) throws SQLException {
    open(product);
    try (Connection connection = begin()) {
      for (byte each : BYTES) {
        long taken = 0;
        for (int bytes : new int[] {PACKET / 2 - 2_000, PACKET / 2, PACKET - 2_000, PACKET}) {
          try {
            append(connection, message(bytes, each));
            taken++;
          } catch (SQLException e) {
            assertThat(e.getMessage()).contains("the server's max_allowed_packet is " + PACKET);
          }
        }
        assertThat(taken).as("byte %s", each).isBetween(1L, 3L);
        connection.rollback();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsAppendedBesideWhatIsTooLarge(ChangeFilesIT.On product) throws SQLException {
    open(product);
    try (Connection connection = begin()) {
      assertThatThrownBy(
              () -> append(connection, message(1, (byte) 'a'), message(PACKET, (byte) 'a')))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("max_allowed_packet");
      connection.commit();
    }
    assertThat(count()).isZero();
  }

  /** The reason is beside it. */
  @ParameterizedTest
  @EnumSource
  void whatWasAppendedCanBeParked(ChangeFilesIT.On product) throws SQLException {
    open(product);
    try (Connection connection = begin()) {
      append(connection, message(PACKET - 2_000, (byte) 'a'));
      connection.commit();
    }
    try (RelayStore store = database.store("s", Start.EARLIEST)) {
      UUID incarnation = UUID.randomUUID();
      LeaseGrant grant =
          store.takeOver(store.look(), incarnation, TestDatabase.LEASE, () -> {}).orElseThrow();
      LedgerMessage read =
          store.poll(new PollRequest(0, 10, PACKET, Positions.NONE)).messages().get(0);
      ParkedMessage dead =
          new ParkedMessage(
              read.position(), "", read.message(), ParkedState.DEAD, 1, true, null, false, 0, null);
      Save save =
          new Save(
              grant.n(),
              incarnation,
              grant.server(),
              TestDatabase.LEASE,
              new Frontier(read.position(), Positions.NONE),
              Positions.NONE,
              Positions.NONE,
              List.of(new ParkedChange.Park(dead, "no ".repeat(1_300), null)),
              null,
              Set.of());
      assertThat(store.save(save)).isInstanceOf(SaveOutcome.Saved.class);
    }
    assertThat(
            database.number(
                """
                SELECT COUNT(*) FROM {schema}.outledger_parked p
                  JOIN {schema}.outledger_message m ON m.payload = p.payload AND m.id = p.id
                 WHERE p.state = 'dead' AND p.attempts = 1 AND p.blocks AND p.error LIKE 'no no%'\
                """))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void gateThatWasEmptiedIsToldByItsName(ChangeFilesIT.On product) throws SQLException {
    open(product);
    database.execute("DELETE FROM {schema}.outledger_gate");
    try (Connection connection = begin()) {
      assertThatExceptionOfType(ConfigurationException.class)
          .isThrownBy(() -> append(connection, message(1, (byte) 'a')))
          .withMessageStartingWith("OUT-003")
          .withMessageContaining("outledger_gate");
    }
  }
}
