// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The POMs agree with one another, and docs/plain.md with them. */
class ReleaseTest {
  private static final Pattern REVISION = Pattern.compile("<revision>([^<]+)</revision>");
  private static final Pattern MODULE =
      Pattern.compile("<artifactId>(outledger-[a-z0-9-]+)</artifactId>");

  private static final String PARENT = ProjectFiles.read(Path.of("pom.xml"));
  private static final String BOM = ProjectFiles.read(Path.of("outledger-bom", "pom.xml"));

  @Test
  void releaseIsTheVersionWithoutSnapshot() {
    List<String> revisions = found(REVISION, PARENT);

    assertThat(revisions).hasSize(2);
    assertThat(revisions.get(0)).isEqualTo(revisions.get(1) + "-SNAPSHOT");
  }

  @Test
  void thePlainPageShowsTheVersionThatABuildInstalls() {
    String version = found(REVISION, PARENT).get(0);

    assertThat(
            Stream.of("xml", "kotlin")
                .map(language -> Markdown.at(PlainPrograms.PAGE).blocks(language))
                .map(blocks -> String.join("", blocks)))
        .allSatisfy(block -> assertThat(block).contains(version));
  }

  @Test
  void bomNamesEveryPublishedModule() {
    assertThat(found(MODULE, BOM.substring(BOM.indexOf("</parent>"))))
        .containsExactlyInAnyOrderElementsOf(published());
  }

  @Test
  void dependenciesOfPagesArePublishedModulesOfThisVersion() {
    String version = found(REVISION, PARENT).get(0);
    List<String> blocks =
        ProjectFiles.endingIn(".md").stream()
            .filter(page -> page.startsWith("docs"))
            .flatMap(page -> Markdown.at(page).blocks("xml").stream())
            .filter(block -> block.startsWith("<dependency>") && block.contains("io.outledger"))
            .toList();

    assertThat(blocks)
        .hasSizeGreaterThan(10)
        .allSatisfy(
            block ->
                assertThat(block)
                    .contains("<version>" + version + "</version>")
                    .matches(text -> published().containsAll(found(MODULE, text))));
  }

  private static List<String> published() {
    return ProjectFiles.endingIn("/pom.xml").stream()
        .map(pom -> String.valueOf(pom.subpath(0, 1)))
        .filter(folder -> folder.startsWith("outledger-"))
        .toList();
  }

  private static List<String> found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.results().map(match -> match.group(1)).toList();
  }
}
