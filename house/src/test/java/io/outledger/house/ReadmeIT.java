// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The README's programs run. Each is given the JDBC URL of an empty database and the addresses of a
 * Kafka broker, and is to end by itself.
 */
class ReadmeIT {
  private static final int SECONDS_MAX = 60;

  @TempDir private Path folder;

  @Test
  void everyProgramEndsWell() throws IOException, InterruptedException {
    ReadmePrograms programs = ReadmePrograms.copyTo(folder);
    assertThat(programs.compile()).isEmpty();
    assertThat(programs.runnable()).isNotEmpty();

    for (String program : programs.runnable()) {
      run(programs, program);
    }
  }

  private void run(ReadmePrograms programs, String program)
      throws IOException, InterruptedException {
    KafkaBroker.shared().createTopic("orders", 1, Map.of());
    Postgres postgres = Postgres.shared();
    String url = postgres.jdbcUrl(postgres.createDatabase());
    File output = folder.resolve(program + ".out").toFile();
    // Everybody can read a command line, so the password is where the driver looks for it as well.
    Path passwords =
        Files.createFile(
            folder.resolve(program + ".pgpass"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(passwords, "*:*:*:*:" + postgres.password());
    String bare = url.replaceFirst("&password=.*", "");
    ProcessBuilder builder =
        new ProcessBuilder(programs.command(program, bare, KafkaBroker.shared().bootstrapServers()))
            .redirectErrorStream(true)
            .redirectOutput(output);
    builder.environment().put("PGPASSFILE", passwords.toString());
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
      String said = Files.readString(output.toPath());
      assertThat(ended).as("%s ends by itself; it said: %s", program, said).isTrue();
      assertThat(process.exitValue()).as("%s said: %s", program, said).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
