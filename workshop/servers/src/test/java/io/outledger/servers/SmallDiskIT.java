// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where none can be mounted it has to say so, and nothing else can be shown. */
class SmallDiskIT {
  private final Optional<String> impossible = SmallDisk.impossibleBecause();

  @Test
  void aFullDiskTakesNothingMoreUntilItIsFreed() throws IOException {
    if (impossible.isPresent()) {
      assertThatThrownBy(() -> SmallDisk.ofMib(8)).isInstanceOf(IllegalStateException.class);
      return;
    }
    Path path;
    try (SmallDisk disk = SmallDisk.ofMib(8)) {
      path = disk.path().resolve("file");
      Files.write(path, new byte[1024 * 1024]);
      disk.fill();
      assertThatThrownBy(() -> Files.write(path, new byte[2 * 1024 * 1024]))
          .isInstanceOf(IOException.class);
      disk.free();
      Files.write(path, new byte[2 * 1024 * 1024]);
    }
    assertThat(path.getParent()).doesNotExist();
  }

  @Test
  void aServerOnItGoesOnWhenItIsFreed() throws SQLException {
    if (impossible.isPresent()) {
      assertThat(impossible.orElseThrow()).isNotBlank();
      return;
    }
    try (SmallDisk disk = SmallDisk.ofMib(256);
        Postgres server = Postgres.builder().temporaryIn(disk.path()).start()) {
      execute(server, "CREATE TABLE kept (text text)");
      disk.fill();
      assertThatThrownBy(() -> execute(server, insert())).hasMessageContaining("No space left");
      disk.free();
      if (!server.isRunning()) {
        server.restart();
      }
      execute(server, insert());
    }
  }

  private static String insert() {
    return "INSERT INTO kept SELECT repeat(n::text, 100) FROM generate_series(1, 100000) n";
  }

  private static void execute(Postgres server, String sql) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
