// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresPagesTest {
  @TempDir private Path folder;

  @Test
  void onlyWhatStandsBetweenTheMarksIsReplaced() throws IOException {
    Path page = folder.resolve("outages.md");
    Files.writeString(
        page,
        """
        Before.
        <!-- figures: backlog -->
        old
        <!-- end -->
        Between.
        <!-- figures: backlog-kafka -->
        old
        <!-- end -->
        After.
        """);

    new FiguresPages(folder).write("backlog-kafka", "benchmarks/run backlog --kafka", "| new |\n");

    assertThat(Files.readString(page))
        .startsWith("Before.\n<!-- figures: backlog -->\nold\n<!-- end -->\nBetween.\n")
        .contains("by `benchmarks/run backlog --kafka`: ")
        .endsWith("\n\n| new |\n<!-- end -->\nAfter.\n");
  }

  @Test
  void figuresWithoutAPageGetOne() throws IOException {
    new FiguresPages(folder).write("idle", "benchmarks/run idle", "| new |");

    assertThat(Files.readString(folder.resolve("idle.md")))
        .startsWith("# idle\n\n<!-- figures: idle -->\n")
        .endsWith("| new |\n<!-- end -->\n");
  }
}
