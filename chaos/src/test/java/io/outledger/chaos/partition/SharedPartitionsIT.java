// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The seed is {@code outledger.seed}, 1 unless set; {@code chaos/partitions} is the same at length.
 */
@Tag("long")
class SharedPartitionsIT {

  @Test
  void eachKeyIsAsItMustBeWhateverBecomesOfTheProcesses(@TempDir Path folder) throws SQLException {
    long seed = Long.getLong("outledger.seed", 1);
    PartitionRun.Plan plan = new PartitionRun.Plan(8, 6, 300, seed, folder);
    try (PartitionRun run = new PartitionRun(plan, line -> System.out.println(line))) {
      assertThat(run.run()).as("seed " + seed).isEmpty();
      assertThat(run.work().hands()).as("processes").isGreaterThanOrEqualTo(3);
      assertThat(run.waits().met()).isNotEmpty();
    }
  }
}
