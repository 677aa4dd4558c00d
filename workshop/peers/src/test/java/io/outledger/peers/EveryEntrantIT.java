// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Postgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A benchmark is worth nothing if somebody in it does less than it is measured by. */
@Tag("long")
class EveryEntrantIT {

  private static final int MESSAGES = 100;
  private static final long MILLIS_MAX = 60_000;

  private final Postgres server = Postgres.shared();

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"BUSINESS_ALONE", "OUTLEDGER_MILLION", "OUTLEDGER_JOINED"})
  void everyMessageThatWaitsIsPublishedOnce(Entrant entrant) throws Exception {
    String jdbcUrl = server.jdbcUrl(server.createDatabase());
    Backlog.write(entrant.factory(), jdbcUrl, MESSAGES);

    Drained drained = new DrainTurn(entrant, server.pid()).run(jdbcUrl, MESSAGES, MILLIS_MAX);

    assertThat(drained.published()).isEqualTo(MESSAGES);
    assertThat(drained.flaws().duplicates()).isZero();
    if (entrant.product().keepsOrder()) {
      assertThat(drained.reordered()).isZero();
    }
  }
}
