// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The seed is {@code outledger.seed}, 1 unless set; {@code chaos/sagas} is the same at length. */
@Tag("long")
class KilledSagasIT {

  private static final int SAGAS = 60;

  @Test
  void eachSagaIsAsItMustBeWhateverIsKilled(@TempDir Path folder) throws SQLException {
    long seed = Long.getLong("outledger.seed", 1);
    SagaRun.Plan plan = new SagaRun.Plan(SAGAS, 4, 2, seed, folder);
    try (SagaRun run = new SagaRun(plan, line -> System.out.println(line))) {
      SagaResult result = run.run();
      System.out.println(result.counts());
      assertThat(result.wrong(SAGAS)).as("seed " + seed).isEmpty();
      assertThat(result.kills().processes()).isPositive();
    }
  }
}
