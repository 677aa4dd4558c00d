// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.AfterCommit;
import io.outledger.servers.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What fails in every transaction does not fill the log. */
final class RepeatedLinesTest {

  private static final int TRANSACTIONS = 500;

  @BeforeEach
  void startCapturing() {
    CapturedLog.start();
  }

  @AfterEach
  void stopCapturing() {
    CapturedLog.stop();
  }

  @Test
  void hookThatFailsAfterEveryCommitIsToldOnceWithItsTrace() {
    for (int i = 0; i < TRANSACTIONS; i++) {
      AfterCommit hooks = new AfterCommit();
      hooks.add(
          () -> {
            throw new IllegalStateException("planted");
          });
      hooks.run();
    }
    assertThat(CapturedLog.count("ERROR after commit: a hook failed")).isBetween(1L, 10L);
    assertThat(CapturedLog.count("at io.outledger.jdbc.AfterCommit.run")).isEqualTo(1);
  }
}
