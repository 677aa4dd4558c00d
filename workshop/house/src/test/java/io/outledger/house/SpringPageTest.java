// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The pages on Spring show the application that is run on every line of Boot, and all properties.
 */
class SpringPageTest {
  private static final Path PAGE = Path.of("docs", "spring.md");
  private static final Path REFERENCE = Path.of("docs", "reference", "spring.md");
  private static final String SHOP =
      "workshop/spring-contract/src/main/java/io/outledger/spring/contract/shop/";
  private static final String EXAMPLE = "examples/spring-boot-3/src/main/";
  private static final Path PROPERTIES =
      Path.of(
          "outledger-spring-boot-autoconfigure/src/main/java/io/outledger/spring/boot",
          "OutledgerProperties.java");
  private static final Pattern NAME = Pattern.compile("`(outledger\\.|\\.)[a-z.<>*-]+`");
  private static final Pattern PARAMETER = Pattern.compile("\\* @param (\\w+)");

  @Test
  void theQuickStartIsTheApplicationThatIsRun() {
    List<String> blocks = Markdown.at(PAGE).blocks("java");

    assertThat(ProjectFiles.read(Path.of(SHOP + "OrderPlaced.java"))).contains(blocks.get(0));
    assertThat(ProjectFiles.read(Path.of(SHOP + "OrderService.java"))).contains(blocks.get(1));
  }

  @Test
  void theExampleIsTheQuickStart() {
    List<String> java = Markdown.at(PAGE).blocks("java");

    assertThat(
            ProjectFiles.read(
                Path.of(EXAMPLE + "java/io/outledger/examples/boot3/OrderPlaced.java")))
        .contains(java.get(0));
    assertThat(
            ProjectFiles.read(
                Path.of(EXAMPLE + "java/io/outledger/examples/boot3/OrderService.java")))
        .contains(java.get(1));
    assertThat(ProjectFiles.read(Path.of(EXAMPLE + "resources/application.properties")))
        .isEqualTo(Markdown.at(PAGE).blocks("properties").get(0));
  }

  @Test
  void everyPropertyIsListed() {
    String listed =
        NAME.matcher(ProjectFiles.read(REFERENCE))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.joining(" "));

    assertThat(
            PARAMETER
                .matcher(ProjectFiles.read(PROPERTIES))
                .results()
                .map(match -> match.group(1).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT)))
        .allSatisfy(name -> assertThat(listed).contains(name));
  }
}
