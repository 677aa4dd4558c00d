// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project that contains only what the README says builds against what was installed, and runs.
 * {@code proof/fresh-project} installs, and starts this.
 */
@Tag("long")
class FreshProjectIT {
  private static final int BUILD_MINUTES_MAX = 8;
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

    build();

    assertThat(programs.runnable()).isNotEmpty();
    String classPath =
        folder.resolve("target/classes")
            + File.pathSeparator
            + Files.readString(folder.resolve("classpath"));
    for (String program : programs.runnable()) {
      ProgramRun.of(program, classPath, folder).endsWell();
    }
  }

  private void build() throws IOException, InterruptedException {
    String installed =
        Objects.requireNonNull(System.getenv("OUTLEDGER_INSTALLED"), "run proof/fresh-project");
    List<String> command = new ArrayList<>();
    command.add(ProjectFiles.root().resolve("mvnw").toString());
    command.addAll(List.of("-B", "-ntp", "-Dmaven.repo.local=" + installed));
    command.add("-Dmaven.repo.local.tail=" + System.getProperty("user.home") + "/.m2/repository");
    command.add("package");
    command.add("org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath");
    command.add("-Dmdep.outputFile=classpath");
    File output = folder.resolve("build.log").toFile();
    Process maven =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    try {
      boolean ended = maven.waitFor(BUILD_MINUTES_MAX, TimeUnit.MINUTES);
      String said = Files.readString(output.toPath());
      assertThat(ended).as(said).isTrue();
      assertThat(maven.exitValue()).as(said).isZero();
    } finally {
      maven.destroyForcibly();
    }
  }
}
