// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class PostgresIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void serverIsDurableAndPrivate() throws SQLException {
    Postgres server = Postgres.shared();
    assertThat(show(server, "fsync")).isEqualTo("on");
    assertThat(show(server, "synchronous_commit")).isEqualTo("on");
    assertThat(show(server, "wal_level")).isEqualTo("logical");
    assertThat(show(server, "max_connections")).isEqualTo("200");
    assertThat(show(server, "max_prepared_transactions")).isEqualTo("20");
    assertThat(show(server, "listen_addresses")).isEqualTo("127.0.0.1");
    assertThat(show(server, "server_encoding")).isEqualTo("UTF8");
    assertThat(show(server, "server_version")).startsWith(server.version() + ".");
  }

  @Test
  void databasesAreFreshAndCanBeCopied() throws SQLException {
    Postgres server = Postgres.shared();
    String first = server.createDatabase();
    execute(server, first, "CREATE TABLE kept AS SELECT 42 AS answer");
    String copy = server.createDatabaseFrom(first);
    assertThat(query(server, copy, "SELECT answer FROM kept")).containsExactly("42");
    assertThat(server.createDatabase()).isNotEqualTo(first);
  }

  @Test
  void committedRowsSurviveKillAndRestart() throws SQLException {
    try (Postgres server = Postgres.start()) {
      String database = server.createDatabase();
      execute(server, database, "CREATE TABLE kept (n int)");
      int port = server.port();
      long pid = server.pid();
      try (Connection open = server.connect(database);
          Statement statement = open.createStatement()) {
        statement.execute("INSERT INTO kept VALUES (1)");
        List<Long> family = Signals.familyOf(pid);
        server.kill();
        assertThat(family).hasSizeGreaterThan(3).noneMatch(Signals::isAlive);
        assertThatThrownBy(() -> statement.execute("INSERT INTO kept VALUES (2)"))
            .isInstanceOf(SQLException.class);
      }
      assertThatThrownBy(() -> server.connect(database)).isInstanceOf(SQLException.class);
      server.restart();
      assertThat(server.port()).isEqualTo(port);
      assertThat(server.pid()).isNotEqualTo(pid);
      assertThat(query(server, database, "SELECT n FROM kept")).containsExactly("1");
      server.stopImmediate();
      server.restart();
      server.restart();
      assertThat(query(server, database, "SELECT n FROM kept")).containsExactly("1");
    }
  }

  @Test
  void suspendedServerAnswersOnlyWhenResumed() throws Exception {
    try (Postgres server = Postgres.start();
        Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      connection.setNetworkTimeout(Runnable::run, 0);
      server.suspend();
      List<String> answers = new ArrayList<>();
      Thread asking =
          new Thread(
              () -> {
                try (ResultSet rows = statement.executeQuery("SELECT 'here'")) {
                  rows.next();
                  synchronized (answers) {
                    answers.add(rows.getString(1));
                  }
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      asking.start();
      asking.join(300);
      assertThat(asking.isAlive()).isTrue();
      server.resume();
      asking.join(SOON.toMillis());
      assertThat(answers).containsExactly("here");
      server.suspend();
    }
  }

  @Test
  void chosenFolderKeepsDataAndPassword(@TempDir Path parent) throws Exception {
    Path folder = Files.createDirectory(reachable(parent).resolve("kept"));
    String password;
    try (Postgres server = Postgres.builder().folder(folder).setting("work_mem", "3MB").start()) {
      execute(server, "postgres", "CREATE TABLE kept AS SELECT 7 AS n");
      assertThat(show(server, "work_mem")).isEqualTo("3MB");
      password = server.password();
    }
    try (Postgres server = Postgres.builder().folder(folder).start()) {
      assertThat(query(server, "postgres", "SELECT n FROM kept")).containsExactly("7");
      assertThat(server.password()).isEqualTo(password);
    }
  }

  @Test
  void dumpIsRestoredIntoAnotherVersion() throws SQLException {
    String tables =
        """
        CREATE TABLE parent (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "Said" text);
        CREATE TABLE a_child (n bigint REFERENCES parent, raw bytea)
        """;
    Postgres newest = Postgres.shared();
    String from = newest.createDatabase();
    execute(newest, from, tables);
    execute(newest, from, "INSERT INTO parent (\"Said\") VALUES (E'tab\\t, ü'), (NULL)");
    execute(newest, from, "INSERT INTO a_child VALUES (1, '\\x00ff')");
    DatabaseDump dump = newest.dump(from);
    try (Postgres old = Postgres.builder().version(15).start()) {
      String to = old.createDatabase();
      execute(old, to, tables);
      execute(old, to, "INSERT INTO parent (\"Said\") VALUES ('goes')");
      old.restore(to, dump);
      execute(old, to, "INSERT INTO parent (\"Said\") VALUES ('new')");
      assertThat(query(old, to, "SELECT concat(n, ' ', \"Said\") FROM parent ORDER BY n"))
          .containsExactly("1 tab\t, ü", "2 ", "3 new");
      assertThat(query(old, to, "SELECT encode(raw, 'hex') FROM a_child")).containsExactly("00ff");
      assertThat(show(old, "server_version")).startsWith("15.");
    }
  }

  @Test
  void takenPortIsRefusedWithTheServersOwnWords() {
    int taken = Postgres.shared().port();
    assertThatThrownBy(() -> Postgres.builder().port(taken).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Address already in use");
  }

  @Test
  void unknownMajorVersionIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> Postgres.builder().version(9).start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[13, 14, 15, 16, 17, 18]");
  }

  private static Path reachable(Path folder) throws Exception {
    Files.setPosixFilePermissions(
        folder, java.nio.file.attribute.PosixFilePermissions.fromString("rwx--x--x"));
    return folder;
  }

  private static String show(Postgres server, String setting) throws SQLException {
    return query(server, "postgres", "SHOW " + setting).get(0);
  }

  private static void execute(Postgres server, String database, String sql) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> query(Postgres server, String database, String sql)
      throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }
}
