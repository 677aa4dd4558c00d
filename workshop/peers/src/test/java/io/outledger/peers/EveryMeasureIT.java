// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Postgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Takes the smallest turns. What depends on the machine's speed is measured and not judged. */
@Tag("long")
class EveryMeasureIT {

  private static final Load ONE = new Load(1, 1);
  private static final Load TEN = new Load(1, 10);

  private final Postgres server = Postgres.shared();

  @Test
  void appendWaitsForTheServerAsOftenAsOneMorePlainInsert() throws Exception {
    Reply alone = written(Entrant.BUSINESS_ALONE);
    Reply plain = written(Entrant.TUTORIAL);
    Reply outledger = written(Entrant.OUTLEDGER_JOINED);

    for (Load load : new Load[] {ONE, TEN}) {
      assertThat(Written.of(load, plain).roundTrips())
          .isEqualTo(Written.of(load, alone).roundTrips() + 1);
      assertThat(Written.of(load, outledger).roundTrips())
          .isEqualTo(Written.of(load, plain).roundTrips());
    }
    assertThat(Written.of(TEN, outledger).walBytes())
        .isGreaterThan(Written.of(TEN, alone).walBytes());
  }

  private Reply written(Entrant entrant) throws Exception {
    String jdbcUrl = server.jdbcUrl(server.createDatabase());
    return new WriteTurn(entrant.factory(), jdbcUrl).run(50, server.port());
  }

  @Test
  void everyMessageThatComesIsTimedAtEachRate() throws Exception {
    String jdbcUrl = server.jdbcUrl(server.createDatabase());

    check(new TimedApplication(Entrant.OUTLEDGER.factory(), jdbcUrl).together(1));
  }

  private static void check(Reply reply) {
    for (int rate : LatencyTable.RATES) {
      Latency latency = Latency.of(reply, rate);
      assertThat(latency.missing()).isZero();
      assertThat(latency.p50()).isPositive().isLessThanOrEqualTo(latency.p99());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"OUTLEDGER", "NAMASTACK_BEST"})
  void whatOneProcessWritesAndAnotherPublishesIsTimedAtEachRate(Entrant entrant) throws Exception {
    String jdbcUrl = server.jdbcUrl(server.createDatabase());

    try (EntrantProcess publisher = EntrantProcess.start(entrant);
        WriterProcesses writers = new WriterProcesses(1)) {
      check(writers.time(publisher, jdbcUrl));
    }
  }
}
