// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MutantsRulesTest {

  @Test
  void everyMutantCanBePlantedAndNamesTestsThatExist() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    assertPasses(java, "proof/mutants/Mutants.java", ".", "check");
  }

  @Test
  void everyClassThatPitIsToChangeAndEveryTestOfItExists()
      throws IOException, InterruptedException {
    assertPasses("proof/pit/run", "--check");
  }

  private static void assertPasses(String... command) throws IOException, InterruptedException {
    Process check =
        new ProcessBuilder(command)
            .directory(ProjectFiles.root().toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(check.waitFor()).as("%s: %s", String.join(" ", command), said).isZero();
  }
}
