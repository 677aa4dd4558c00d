// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.relay.Relay;
import io.outledger.servers.InnoDbServer;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server, a session and a user have to be like, and what is said where they are not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SettingsIT {

  /** What a server of the test's own is started with. */
  static final String[] LOG = {"--log-bin=binlog", "--binlog-format=ROW"};

  private static final int LARGE = 5 << 20;

  private final InnoDbServer server;
  private final Product product;
  private TestDatabase database;

  SettingsIT(InnoDbServer server, Product product) {
    this.server = server;
    this.product = product;
    this.database = TestDatabase.on(server, product);
  }

  @BeforeEach
  void open() {
    database = TestDatabase.on(server, product).withTables();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "auto_increment_increment; 2; set it to 1",
        "binlog_format; STATEMENT; set it to ROW",
        "sql_mode; ''; Add STRICT_TRANS_TABLES to sql_mode",
        "read_only; ON; connect to the primary server"
      })
  void serverWithWhichMessagesCouldBeLostIsRefused(String name, String value, String remedy) {
    String before = database.text("SELECT @@GLOBAL." + name);
    database.execute(
        "SET GLOBAL %s = %s".formatted(name, "ON".equals(value) ? value : quoted(value)));
    try {
      assertThatThrownBy(() -> Outledger.builder(database.dataSource()).build())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageStartingWith("OUT-020")
          .hasMessageContaining(name)
          .hasMessageContaining(remedy);
      assertThatThrownBy(() -> Schema.of(database.database()).apply(database.dataSource()))
          .hasMessageStartingWith("OUT-020")
          .hasMessageContaining(remedy);
    } finally {
      database.execute("SET GLOBAL %s = %s".formatted(name, quoted(before)));
    }
  }

  /** The server's own format is ROW. */
  @Test
  void sessionThatLogsStatementsIsRefused() {
    DataSource statements = database.dataSource("sessionVariables=binlog_format=STATEMENT");
    assertThatThrownBy(() -> Outledger.builder(statements).build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-020")
        .hasMessageContaining("binlog_format = STATEMENT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"binlog_format=ROW", "sql_log_bin=0"})
  void sessionThatLogsNoStatementsRelaysWhateverTheServersFormatIs(String setting)
      throws InterruptedException {
    String before = database.text("SELECT @@GLOBAL.binlog_format");
    database.execute("SET GLOBAL binlog_format = STATEMENT");
    try {
      assertRelays(database.dataSource("sessionVariables=" + setting));
    } finally {
      database.execute("SET GLOBAL binlog_format = " + before);
    }
  }

  @Test
  void formatOfABinaryLogThatIsNotWrittenDoesNotMatter() throws InterruptedException {
    try (TestDatabase withoutLog = withoutLog().withTables()) {
      assertRelays(withoutLog.dataSource("sessionVariables=binlog_format=STATEMENT"));
    }
  }

  /** Opens a database on a server that has no binary log. */
  abstract TestDatabase withoutLog();

  private static void assertRelays(DataSource dataSource) throws InterruptedException {
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger = Outledger.builder(dataSource).build();
        Relay relay = outledger.relay("s").to(publisher).build()) {
      outledger.outbox().inNewTransaction(message("a", 1));
      relay.drain(Duration.ofMinutes(1));
    }
    assertThat(publisher.messages()).hasSize(1);
  }

  private static String quoted(String value) {
    return value.matches("[0-9]+") ? value : "'" + value + "'";
  }

  @Test
  void relayIsRefusedWhereACrashForgetsCommits() {
    database.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    try (RelayStore store = database.store("s", Start.EARLIEST)) {
      assertThatThrownBy(store::look)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageStartingWith("OUT-020")
          .hasMessageContaining("Set it to 1");
    } finally {
      database.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    }
  }

  /**
   * An inbox without transactions would remember what was rolled back; a gate would lock nobody.
   */
  @ParameterizedTest
  @ValueSource(strings = {"message", "gate", "inbox", "cursor"})
  void tableWithoutTransactionsIsRefused(String table) {
    database.execute("DROP TABLE {schema}.outledger_guard");
    database.execute("ALTER TABLE {schema}.outledger_" + table + " ENGINE = MyISAM");
    assertThatThrownBy(() -> Outledger.builder(database.dataSource()).build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-020")
        .hasMessageContaining("outledger_" + table + " (MyISAM)")
        .hasMessageContaining("ENGINE = InnoDB");
  }

  @Test
  void sessionThatIsNotStrictAppendsNothing() throws SQLException {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        Connection connection = begin(database.connect())) {
      execute(connection, "SET SESSION sql_mode = ''");
      assertThatThrownBy(
              () -> outledger.outbox().append(connection, message("a", 1), message("b", 1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("add STRICT_TRANS_TABLES");
      execute(connection, "SET SESSION sql_mode = 'TRADITIONAL'");
      outledger.outbox().append(connection, message("a", 1), message("b", 1));
      connection.commit();
    }
    assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_message")).isEqualTo(2);
  }

  @Test
  void messageThatTheServerDoesNotTakeIsToldWhatToDo() throws SQLException {
    database.execute("SET GLOBAL max_allowed_packet = 4194304");
    try (Outledger outledger =
            Outledger.builder(database.dataSource()).payloadBytesMax(2 * LARGE).build();
        Connection connection = begin(database.connect())) {
      assertThatThrownBy(() -> outledger.outbox().append(connection, message("a", LARGE)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("max_allowed_packet");
    } finally {
      database.execute("SET GLOBAL max_allowed_packet = 67108864");
    }
  }

  @Test
  void userWithoutARightIsToldWhichOne() throws SQLException {
    String user = "'writer'@'127.0.0.1'";
    database.execute("CREATE USER IF NOT EXISTS " + user + " IDENTIFIED BY 'writer'");
    database.execute("GRANT INSERT ON {schema}.outledger_message TO " + user);
    String url = server.jdbcUrl(database.tables().schema());
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        Connection connection = begin(DriverManager.getConnection(url, "writer", "writer"))) {
      assertThatThrownBy(() -> outledger.outbox().append(connection, message("a", 1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("SELECT on")
          .hasMessageContaining("outledger_gate");
      database.execute("GRANT SELECT ON {schema}.outledger_gate TO " + user);
    }
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        Connection connection = begin(DriverManager.getConnection(url, "writer", "writer"))) {
      outledger.outbox().append(connection, message("a", 1));
      connection.commit();
    }
    assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_message")).isEqualTo(1);
  }

  /** MySQL before 8.0.17 has no collation of bytes that pads nothing. */
  @Test
  void keysThatDifferInATrailingSpaceAreTwo() throws SQLException {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        Connection connection = begin(database.connect())) {
      outledger.outbox().append(connection, message("a", 1), message("a ", 1));
      connection.commit();
    }
    boolean isPadded = database.collation().equals("utf8mb4_bin");
    assertThat(
            database.number(
                "SELECT COUNT(*) FROM {schema}.outledger_message m WHERE m.message_key = 'a'"))
        .isEqualTo(isPadded ? 2 : 1);
    assertThat(
            database.number(
                """
                SELECT COUNT(*) FROM information_schema.TABLES t
                 WHERE t.TABLE_SCHEMA = {name} AND t.TABLE_TYPE = 'BASE TABLE'
                   AND t.TABLE_COLLATION <> '%s'\
                """
                    .formatted(database.collation())))
        .isZero();
  }

  /** Letters of four bytes, in a key as long as keys may be. */
  @Test
  void longestTextsOfTheLargestLettersAreKept() throws SQLException {
    String letters = "\ud83d\ude80".repeat(100);
    Message message =
        Message.to(letters, letters).key(letters + letters + letters.substring(100)).build();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        Connection connection = begin(database.connect())) {
      outledger.outbox().append(connection, message);
      connection.commit();
    }
    assertThat(database.text("SELECT m.message_key FROM {schema}.outledger_message m"))
        .isEqualTo(message.key());
    assertThat(database.text("SELECT m.topic FROM {schema}.outledger_message m"))
        .isEqualTo(message.topic());
  }

  /** A session's time zone changes no instant. */
  @Test
  void instantsAreThoseOfUtcInEveryTimeZone() throws SQLException {
    Message message = message("a", 1);
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        Connection connection = begin(database.connect())) {
      execute(connection, "SET SESSION time_zone = '+05:45'");
      outledger.outbox().append(connection, message);
      connection.commit();
    }
    assertThat(Duration.between(message.time(), database.timeOfTheMessage()).abs())
        .isLessThan(Duration.ofMillis(1));
  }

  private static Message message(String key, int bytes) {
    return Message.to("orders", "placed").key(key).payload(new byte[bytes]).build();
  }

  private static Connection begin(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    return connection;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
