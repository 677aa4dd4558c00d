// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each line of the catalogue of failures names what tries it, or says why nothing does. */
class CatalogueTest {

  private static final Path CATALOGUE = Path.of("docs", "catalogue.md");
  private static final Pattern NAME =
      Pattern.compile("`([A-Z]\\w*(?:IT|Test|Contract))(?:\\.(\\w+))?`");
  private static final Pattern FAULT = Pattern.compile("`([a-z]+(?:-[a-z]+)+)`");
  private static final Pattern EXCUSE = Pattern.compile("(?i)not tried|does not apply");
  private static final String FAULTS = "chaos/src/main/java/io/outledger/chaos/fault/Fault.java";

  private final List<String> lines =
      ProjectFiles.read(CATALOGUE)
          .lines()
          .filter(line -> line.startsWith("| ") && !line.startsWith("| event"))
          .toList();

  @Test
  void everyNameIsThatOfATest() {
    Map<String, String> sources =
        ProjectFiles.endingIn(".java").stream()
            .filter(path -> path.toString().matches(".*(IT|Test|Contract)\\.java"))
            .collect(
                Collectors.toMap(
                    path -> path.getFileName().toString().replace(".java", ""),
                    ProjectFiles::read,
                    (one, other) -> one + other));
    String contracts =
        ProjectFiles.endingIn(".java").stream()
            .filter(path -> path.startsWith("outledger-contracts"))
            .map(ProjectFiles::read)
            .collect(Collectors.joining());

    assertThat(names().stream().filter(name -> !isThere(name, sources, contracts)))
        .extracting(MatchResult::group)
        .isEmpty();
    assertThat(names()).isNotEmpty();
  }

  private static boolean isThere(MatchResult name, Map<String, String> sources, String contracts) {
    // A contract is made of several files.
    String source =
        name.group(1).endsWith("Contract") ? contracts : sources.getOrDefault(name.group(1), "");
    return sources.containsKey(name.group(1))
        && (name.group(2) == null || source.contains("void " + name.group(2) + "("));
  }

  @Test
  void everyFaultIsOneThatChaosDoes() {
    String faults = ProjectFiles.read(Path.of(FAULTS));

    assertThat(lines.stream().flatMap(line -> FAULT.matcher(line).results()))
        .isNotEmpty()
        .allSatisfy(
            fault ->
                assertThat(faults)
                    .contains("  " + fault.group(1).toUpperCase(Locale.ROOT).replace('-', '_')));
  }

  @Test
  void noLineIsWithoutATestOrAReason() {
    assertThat(lines)
        .hasSizeGreaterThan(40)
        .allMatch(
            line ->
                NAME.matcher(line).find()
                    || FAULT.matcher(line).find()
                    || EXCUSE.matcher(line).find());
  }

  private List<MatchResult> names() {
    return lines.stream().flatMap(line -> NAME.matcher(line).results()).toList();
  }
}
