// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class PostgresBackupIT {

  @Test
  void restoredServerHasWhatWasCommittedUntilTheMomentAndNothingAfterIt() throws SQLException {
    try (Postgres origin = Postgres.start()) {
      Kept kept = Kept.on(origin);
      PostgresBackup backup = origin.backup();
      kept.add(2);
      backup.markMoment();
      kept.add(4);
      origin.kill();
      try (Postgres restored = backup.restore()) {
        assertThat(kept.at(restored).sum()).isEqualTo(3);
        kept.at(restored).add(8);
        restored.restart();
        assertThat(kept.at(restored).sum()).isEqualTo(11);
        try (PostgresStandby standby = restored.standby()) {
          standby.awaitReplay();
          assertThat(kept.at(standby.server()).sum()).isEqualTo(11);
        }
      }
    }
  }
}
