// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  @TempDir private Path folder;

  @Test
  void everyJavaBlockIsAWholeProgramThatCompilesWithoutWarning() throws IOException {
    ReadmePrograms programs = ReadmePrograms.copyTo(folder);

    assertThat(programs.names()).isNotEmpty();
    assertThat(programs.compile()).isEmpty();
  }
}
