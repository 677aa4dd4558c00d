// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class PostgresStandbyIT {

  @Test
  void standbyShowsWhatWasCommittedRefusesWritesAndTakesThemOncePromoted() throws SQLException {
    try (Postgres primary = Postgres.start()) {
      Kept kept = Kept.on(primary);
      try (PostgresStandby standby = primary.standby()) {
        kept.add(2);
        standby.awaitReplay();
        assertThat(kept.at(standby.server()).sum()).isEqualTo(3);
        assertThatThrownBy(() -> kept.at(standby.server()).add(4))
            .hasMessageContaining("read-only");
        primary.kill();
        standby.promote();
        kept.at(standby.server()).add(4);
        standby.server().restart();
        assertThat(kept.at(standby.server()).sum()).isEqualTo(7);
      }
    }
  }
}
