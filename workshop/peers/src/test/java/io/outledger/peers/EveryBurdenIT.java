// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.benchmarks.Sql;
import io.outledger.servers.Postgres;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever grows old publishes all the same what was committed, and that alone. */
@Tag("long")
class EveryBurdenIT {

  private static final AgedTurn.Length SMALL = new AgedTurn.Length(100, 60_000, 100);

  private final Postgres server = Postgres.shared();

  static Stream<Arguments> turns() {
    return Entrant.AGEING.stream()
        .flatMap(
            entrant ->
                Stream.of(EntrantBurden.values())
                    .filter(burden -> burden.isCarriedBy(entrant))
                    .map(burden -> Arguments.of(entrant, burden)));
  }

  @ParameterizedTest
  @MethodSource("turns")
  void whatWaitsIsPublishedAndSavingIsTimed(Entrant entrant, EntrantBurden burden)
      throws Exception {
    String jdbcUrl = server.jdbcUrl(server.createDatabase());
    if (burden == EntrantBurden.SETTLED) {
      SettledMessages.lay(entrant, jdbcUrl, 1_000);
    }

    Aged aged = new AgedTurn(entrant, burden, jdbcUrl).run(SMALL, server.pid());

    assertThat(aged.drained().published()).isEqualTo(100);
    assertThat(aged.saveP50()).isPositive().isLessThanOrEqualTo(aged.saveP99());
    if (entrant.product().keepsOrder()) {
      assertThat(aged.drained().reordered()).isZero();
    }
    if (entrant.product() == Product.OUTLEDGER) { // any of the others may take its time for a crash
      assertThat(aged.drained().flaws().duplicates()).isZero();
    }
  }

  @Test
  void whatIsLostLiesBetweenWhatCommits() throws Exception {
    String database = server.createDatabase();

    new AgedTurn(Entrant.OUTLEDGER, EntrantBurden.WRITER, server.jdbcUrl(database))
        .run(SMALL, server.pid());

    assertThat(
            Sql.number(
                Site.forWriting(server.jdbcUrl(database)).dataSource(),
                """
                SELECT count(*)
                  FROM (SELECT position - lag(position) OVER (ORDER BY position) AS step
                          FROM outledger_message ORDER BY position LIMIT 100) AS steps
                 WHERE step > 1\
                """))
        .isGreaterThan(5);
  }

  @Test
  void whoKeepsMessagesGoesOnBehindThemFromTurnToTurn() throws Exception {
    for (Entrant entrant : Set.of(Entrant.OUTLEDGER, Entrant.TUTORIAL_BATCHED)) {
      String jdbcUrl = server.jdbcUrl(server.createDatabase());
      AgedTurn turn = new AgedTurn(entrant, EntrantBurden.SETTLED, jdbcUrl);

      turn.run(SMALL, server.pid());
      Drained second = turn.run(SMALL, server.pid()).drained();

      assertThat(second.published()).isEqualTo(100);
      assertThat(second.flaws().duplicates()).isZero();
    }
  }
}
