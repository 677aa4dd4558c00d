// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader can copy what docs/plain.md shows. */
class PlainPageTest {
  private static final Pattern MAVEN =
      Pattern.compile(
          "<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>"
              + "(?:\\s*<version>([^<]+)</version>)?");
  private static final Pattern GRADLE = Pattern.compile("\"([^\":]+):([^\":]+)(?::([^\":]+))?\"");

  @TempDir private Path folder;

  @Test
  void everyJavaBlockIsAWholeProgramThatCompilesWithoutWarning() throws IOException {
    PlainPrograms programs = PlainPrograms.copyTo(folder);

    assertThat(programs.names()).isNotEmpty();
    assertThat(programs.compile()).isEmpty();
  }

  @Test
  void gradleAndMavenTakeTheSameDependencies() {
    Markdown page = Markdown.at(PlainPrograms.PAGE);
    String pom = String.join("", page.blocks("xml"));
    String maven = pom.substring(pom.indexOf("<dependencyManagement>"));

    assertThat(coordinates(GRADLE, String.join("", page.blocks("kotlin"))))
        .isNotEmpty()
        .containsExactlyElementsOf(coordinates(MAVEN, maven));
  }

  /**
   * Returns group, artifact and version of each dependency, without a version where the BOM has it.
   */
  private static List<String> coordinates(Pattern dependency, String block) {
    return dependency
        .matcher(block)
        .results()
        .map(
            match ->
                Stream.of(match.group(1), match.group(2), match.group(3))
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining(":")))
        .toList();
  }
}
