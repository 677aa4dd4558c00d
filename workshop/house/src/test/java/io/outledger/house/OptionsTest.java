// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionsTest {

  @Test
  void theReferenceOfOptionsIsWhatTheCodeSays() throws IOException {
    Path generated = Path.of("target", "options.md");
    Files.createDirectories(generated.getParent());
    Files.writeString(generated, OptionsPage.text());

    assertThat(ProjectFiles.read(OptionsPage.PATH))
        .as("copy house/%s to %s", generated, OptionsPage.PATH)
        .isEqualTo(OptionsPage.text());
  }
}
