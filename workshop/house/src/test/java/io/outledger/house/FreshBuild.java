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

/**
 * The build of a Maven project outside of this one, against what {@code proof/fresh-project} has
 * installed.
 *
 * @param folder of the project
 */
record FreshBuild(Path folder) {
  private static final int MINUTES_MAX = 8;

  /** Builds it, and returns what its programs run on. */
  String classPath() throws IOException, InterruptedException {
    String installed =
        Objects.requireNonNull(System.getenv("OUTLEDGER_INSTALLED"), "run proof/fresh-project");
    List<String> command = new ArrayList<>();
    command.add(ProjectFiles.root().resolve("mvnw").toString());
    command.addAll(List.of("-B", "-ntp", "-Dmaven.repo.local=" + installed));
    command.add("-Dmaven.repo.local.tail=" + System.getProperty("user.home") + "/.m2/repository");
    command.add("package");
    command.add("org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath");
    command.add("-Dmdep.outputFile=classpath");
    Path output = folder.resolve("build.log");
    Process maven =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = maven.waitFor(MINUTES_MAX, TimeUnit.MINUTES);
      String said = Files.readString(output);
      assertThat(ended).as(said).isTrue();
      assertThat(maven.exitValue()).as(said).isZero();
    } finally {
      maven.destroyForcibly();
    }
    return folder.resolve("target/classes")
        + File.pathSeparator
        + Files.readString(folder.resolve("classpath")).strip();
  }
}
