// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CpuTimeIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @Test
  void whatAProcessDoesIsCounted() {
    long pid = ProcessHandle.current().pid();
    double own = CpuTime.ownSeconds();
    double all = CpuTime.seconds(pid);

    // To ask is work too.
    Await.until(
        "a tick is counted",
        PATIENCE,
        () -> CpuTime.ownSeconds() > own && CpuTime.seconds(pid) > all);
  }

  @Test
  void whatTheCompilerTakesIsAPartOfTheProcess() {
    double compiler = CpuTime.compilerSeconds(ProcessHandle.current().pid());
    assertThat(compiler).isPositive().isLessThan(CpuTime.ownSeconds());
  }

  @Test
  void whoAsksForAProcessThatIsNotThereIsTold() {
    assertThatIllegalStateException()
        .isThrownBy(() -> CpuTime.seconds(0))
        .withMessageContaining("/proc/0/stat");
    assertThatIllegalStateException().isThrownBy(() -> CpuTime.compilerSeconds(0));
  }
}
