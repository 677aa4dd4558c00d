// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of docs/plain.md run. Each is given the JDBC URL of an empty database and the
 * addresses of a Kafka broker, and ends by itself.
 */
class PlainPageIT {

  @TempDir private Path folder;

  @Test
  void everyProgramEndsWell() throws IOException, InterruptedException {
    PlainPrograms programs = PlainPrograms.copyTo(folder);
    assertThat(programs.compile()).isEmpty();
    assertThat(programs.runnable()).isNotEmpty();

    for (String program : programs.runnable()) {
      ProgramRun.of(program, programs.programClassPath(), folder).endsWell();
    }
  }
}
