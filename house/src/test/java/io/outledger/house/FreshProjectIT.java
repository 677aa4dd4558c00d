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
 * A project that contains only what the README says builds against what was installed, and runs.
 * {@code proof/fresh-project} installs, and starts this.
 */
@Tag("long")
class FreshProjectIT {
  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>com.example</groupId>
        <artifactId>fresh</artifactId>
        <version>1</version>
        <properties>
          <maven.compiler.release>17</maven.compiler.release>
          <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
        </properties>
      %s</project>
      """;

  @TempDir private Path folder;

  @Test
  void readmeIsEnoughForAProjectThatBuildsAndRuns() throws IOException, InterruptedException {
    Path sources = Files.createDirectories(folder.resolve("src/main/java"));
    Markdown readme = Markdown.at(Path.of("README.md"));
    Files.writeString(
        folder.resolve("pom.xml"), POM.formatted(String.join("", readme.blocks("xml"))));
    ReadmePrograms programs = ReadmePrograms.copyTo(sources);

    String classPath = new FreshBuild(folder).classPath();

    assertThat(programs.runnable()).isNotEmpty();
    for (String program : programs.runnable()) {
      ProgramRun.of(program, classPath, folder).endsWell();
    }
  }
}
