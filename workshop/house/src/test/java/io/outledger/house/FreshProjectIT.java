// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project that contains only what docs/plain.md says builds against what was installed, and runs.
 * {@code proof/fresh-project} installs, and starts this.
 */
@Tag("long")
class FreshProjectIT {
  /** Without the switch of the page's command, Kafka's clients print hundreds. */
  private static final int LINES_MAX = 30;

  @TempDir private Path folder;

  @Test
  void thePageIsEnoughForAProjectThatBuildsAndRuns() throws IOException, InterruptedException {
    Path sources = Files.createDirectories(folder.resolve("src/main/java"));
    Markdown page = Markdown.at(PlainPrograms.PAGE);
    Files.writeString(folder.resolve("pom.xml"), page.blocks("xml").get(0));
    PlainPrograms programs = PlainPrograms.copyTo(sources);

    String classPath = new FreshBuild(folder).classPath();

    assertThat(programs.runnable()).isNotEmpty();
    for (String program : programs.runnable()) {
      assertThat(ProgramRun.of(program, classPath, folder).endsWell())
          .hasSizeLessThan(LINES_MAX)
          .contains("reserving the stock of order o-1");
    }
  }
}
