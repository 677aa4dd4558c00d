// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PageTest {

  @Test
  void thePageInTheDocumentsIsWhatTheRecordsSay() throws IOException {
    Path home = Path.of("").toAbsolutePath().resolveSibling("");
    Path root = Files.exists(home.resolve("docs")) ? home : home.resolve("..").normalize();

    assertThat(root.resolve("docs/reliability.md"))
        .as("./outledger chaos --page writes it")
        .content()
        .isEqualTo(new Project(root).page());
  }

  @Test
  void trialsOfRunsThatHeldAreAddedUp() {
    assertThat(killsOf(held(100), held(200))).isEqualTo("| 300 | 300 | 1.0 % |");
  }

  @Test
  void aBrokenPromiseTakesAwayWhatWasShownBefore() {
    assertThat(killsOf(held(100), failed(7, "product"), held(30))).isEqualTo("| 300 | 30 | 10 % |");
  }

  @Test
  void aFailureThatNobodyExplainedCountsAsTheProducts() {
    assertThat(killsOf(held(100), failed(7, ""))).isEqualTo("| 300 | 0 | not run |");
  }

  @Test
  void aFailureOfTheTestItselfSaysNothing() {
    assertThat(killsOf(held(100), failed(7, "test"))).isEqualTo("| 300 | 100 | 3.0 % |");
  }

  @Test
  void aRunThatFailedStaysOnThePage() {
    assertThat(page(failed(7, "")))
        .contains("**no**", "LOST x: was passed over", "**open**: nothing was found out yet");
  }

  @Test
  void recordsOfAnotherKindCountToo() {
    assertThat(
            page("{\"kind\":\"simulation\",\"held\":true,\"trials\":{\"simulation-seed\":6000}}"))
        .contains("| simulation seeds | 300,000 | 6,000 | 0.050 % |");
  }

  @Test
  void aWaitSaysHowOftenItWasWithinItsGoalWhereThatWasCounted() {
    String older = wait("\"limitMs\":1000,\"medianMs\":900,\"maxMs\":9000,\"count\":5");
    String newer =
        wait("\"goalMs\":1000,\"withinGoal\":7,\"medianMs\":300,\"maxMs\":4000,\"count\":8");
    assertThat(page(older)).contains("| taken over | 1.00 s | – | 0.90 s | 9.00 s | 5 |");
    assertThat(page(older, newer))
        .contains("| taken over | 1.00 s | 7 of 8 | 0.90 s | 9.00 s | 13 |");
  }

  private static String wait(String figures) {
    return "{\"held\":true,\"liveness\":[{\"name\":\"taken over\",%s}]}".formatted(figures);
  }

  private static String held(int kills) {
    return "{\"held\":true,\"trials\":{\"relay-killed\":%d}}".formatted(kills);
  }

  private static String failed(int kills, String cause) {
    return """
    {"held":false,"cause":"%s","trials":{"relay-killed":%d},"broken":["LOST x: was passed over"]}
    """
        .formatted(cause, kills);
  }

  private static String killsOf(String... records) {
    String row =
        page(records)
            .lines()
            .filter(line -> line.startsWith("| owner `kill -9` under load"))
            .findFirst()
            .orElseThrow();
    return row.substring(row.indexOf("|", 2));
  }

  private static String page(String... records) {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY); // a page must not depend on who writes it
      return new Page(List.copyOf(Stream.of(records).map(RunRecord::read).toList())).text();
    } finally {
      Locale.setDefault(before);
    }
  }
}
