// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.chaos.checker.Report;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The seed is {@code outledger.seed}, 1 unless set. */
class KilledProcessesIT {

  private static final Map<Fault, Integer> COUNTS =
      Map.of(
          Fault.RELAY_KILLED, 20,
          Fault.WRITER_KILLED, 5,
          Fault.CONSUMER_KILLED, 5,
          Fault.DATABASE_KILLED, 5,
          Fault.BROKER_KILLED, 2,
          Fault.OWNER_FROZEN, 5,
          Fault.CONNECTION_CUT, 6,
          Fault.REPLIES_LOST, 4,
          Fault.OWNER_STOPPED, 10);

  @Test
  void everyPromiseHoldsWhateverIsKilled(@TempDir Path folder) throws SQLException {
    Schedule schedule = Schedule.of(Long.getLong("outledger.seed", 1), COUNTS);
    try (KillRun run = new KillRun(schedule, folder, Duration.ofSeconds(2))) {
      Report report = run.run();

      System.out.println(report);
      assertThat(report.passed()).as("seed " + schedule.seed() + " " + report).isTrue();
      assertThat(report.counts().published()).isEqualTo(report.counts().committed()).isPositive();
      assertThat(run.stopped()).isEqualTo(10);
      // The checker allows no duplicate after a hand-over, so each was graceful.
      assertThat(run.handOvers()).isEqualTo(10);
      assertThat(run.killed()).hasSize(37);
      assertThat(run.killed())
          .filteredOn(kill -> kill.role().startsWith("relay"))
          .allSatisfy(kill -> assertThat(kill.inFlight()).isPositive());
    }
  }
}
