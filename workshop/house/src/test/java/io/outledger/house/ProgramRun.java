// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.KafkaBroker;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One run of a document's program, on an empty database and on a broker that has the topic {@code
 * orders}.
 *
 * @param program the name of the class with the main method
 * @param switches of the JVM
 * @param classPath its classes, and all that they need
 * @param folder where its output and its password file are written
 */
record ProgramRun(String program, List<String> switches, String classPath, Path folder) {
  private static final int SECONDS_MAX = 60;

  /** With the switches that the page's own command has. */
  static ProgramRun of(String program, String classPath, Path folder) {
    return new ProgramRun(program, PlainPrograms.switches(), classPath, folder);
  }

  /**
   * Fails with the program's output unless it ends in time and with exit code 0, and returns the
   * output's lines.
   */
  List<String> endsWell() throws IOException, InterruptedException {
    KafkaBroker.shared().createTopic("orders", 1, Map.of());
    Postgres postgres = Postgres.shared();
    String url = postgres.jdbcUrl(postgres.createDatabase());
    Path output = folder.resolve(program + ".out");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(switches);
    command.addAll(List.of("-cp", classPath, program, url.replaceFirst("&password=.*", "")));
    command.add(KafkaBroker.shared().bootstrapServers());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("PGPASSFILE", passwordFile(postgres.password()).toString());
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
      String said = Files.readString(output);
      assertThat(ended).as("%s ends by itself; it said: %s", program, said).isTrue();
      assertThat(process.exitValue()).as("%s said: %s", program, said).isZero();
      return said.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Everybody can read a command line, so the password is where the driver looks for it as well.
   */
  private Path passwordFile(String password) throws IOException {
    Path file =
        Files.createFile(
            folder.resolve(program + ".pgpass"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, "*:*:*:*:" + password);
  }
}
