// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that are programs of the system. */
final class InstalledServersIT {

  enum Kind {
    NATS,
    REDIS,
    MOSQUITTO;

    InstalledServer start() {
      return switch (this) {
        case NATS -> NatsServer.start();
        case REDIS -> RedisServer.start();
        case MOSQUITTO -> Mosquitto.start();
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
