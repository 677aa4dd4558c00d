// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that are programs of the system. */
@Tag("long")
final class InstalledServersIT {

  enum Kind {
    NATS,
    REDIS,
    MOSQUITTO,
    MARIADB,
    MYSQL;

    InstalledServer start() {
      return switch (this) {
        case NATS -> NatsServer.start();
        case REDIS -> RedisServer.start();
        case MOSQUITTO -> Mosquitto.start();
        case MARIADB -> MariaDb.start();
        case MYSQL -> MySql.start();
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void killedServerIsGoneAndComesBackAtItsPort(Kind kind) throws IOException {
    try (InstalledServer server = kind.start()) {
      int port = server.port();
      server.kill();
      assertThatThrownBy(() -> connect(port)).isInstanceOf(IOException.class);
      server.restart();
      connect(port);
    }
  }

  /** But for MySQL 8.0.12, which at times waits without end for a client that has just left. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MYSQL")
  void stoppedServerIsGone(Kind kind) throws IOException {
    try (InstalledServer server = kind.start()) {
      int port = server.port();
      connect(port);
      server.stop();
      assertThatThrownBy(() -> connect(port)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void killedRedisKeepsWhatItHasAnswered() throws IOException {
    try (RedisServer redis = RedisServer.start()) {
      assertThat(ask(redis, "SET a 1", 3)).isEqualTo("+OK");
      redis.kill();
      redis.restart();
      assertThat(ask(redis, "GET a", 5)).isEqualTo("$1\r\n1");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MARIADB", "MYSQL"})
  void killedDatabaseKeepsWhatWasCommitted(Kind kind) throws SQLException {
    try (InnoDbServer server = (InnoDbServer) kind.start()) {
      String database = server.createDatabase();
      try (Connection connection = server.connect(database);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE a (n INT PRIMARY KEY) ENGINE=InnoDB");
        statement.execute("INSERT INTO a VALUES (7)");
        server.kill();
      }
      server.restart();
      try (Connection connection = server.connect(database);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT n FROM a")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(7);
      }
    }
  }

  @Test
  void serverThatCannotStartSaysWhy() {
    assertThatThrownBy(() -> NatsServer.start("no_such_setting: 1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no_such_setting");
  }

  private static void connect(int port) throws IOException {
    new Socket(Ports.loopback(), port).close();
  }

  private static String ask(RedisServer redis, String command, int bytes) throws IOException {
    try (Socket socket = new Socket(Ports.loopback(), redis.port())) {
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }
  }
}
