// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The README fits on a screen, and shows what the quick start of docs/spring.md shows. */
class ReadmeTest {
  private static final Markdown README = Markdown.at(Path.of("README.md"));
  private static final Markdown SPRING = Markdown.at(Path.of("docs", "spring.md"));
  private static final int LINES_OF_A_SCREEN = 50;

  @Test
  void whatComesBeforeTheFirstSectionFitsOnAScreen() {
    String before = README.text().substring(0, README.text().indexOf("\n## "));

    assertThat(before.lines()).hasSizeLessThanOrEqualTo(LINES_OF_A_SCREEN);
  }

  @Test
  void itsCodeIsTheQuickStartOfSpring() {
    assertThat(README.blocks("java"))
        .isNotEmpty()
        .containsExactlyElementsOf(SPRING.blocks("java").subList(0, README.blocks("java").size()));
    assertThat(README.blocks("properties")).containsExactly(SPRING.blocks("properties").get(0));
  }
}
