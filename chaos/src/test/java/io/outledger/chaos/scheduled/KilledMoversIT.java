// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The seed is {@code outledger.seed}, 1 unless set; {@code chaos/scheduled} is the same at length.
 */
@Tag("long")
class KilledMoversIT {

  private static final int MESSAGES = 2_000;

  @Test
  void everyPromiseHoldsWhateverIsKilled(@TempDir Path folder) throws SQLException {
    long seed = Long.getLong("outledger.seed", 1);
    ScheduledRun.Plan plan = new ScheduledRun.Plan(MESSAGES, 4, 1_000, seed, folder);
    try (ScheduledRun run = new ScheduledRun(plan, line -> System.out.println(line))) {
      ScheduledResult result = run.run();
      System.out.println(result.counts());
      assertThat(result.wrong()).as("seed " + seed).isEmpty();
      assertThat(result.kills().processes()).isPositive();
      assertThat(result.counts().cancelledById()).isPositive();
      assertThat(result.counts().cancelledByName()).isPositive();
      assertThat(result.counts().replaced()).isPositive();
      assertThat(result.counts().together()).isPositive();
    }
  }
}
