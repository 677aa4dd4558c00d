// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.options.Accepts;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** A process that runs the subscription of {@link ReplayBenchmark}, or stands by; to be killed. */
final class ReplayOwnerMain {

  /** The variable of the environment with the JDBC URL: everybody can read a command line. */
  static final String JDBC_URL = "OUTLEDGER_BENCHMARK_JDBC_URL";

  static final String READY = "ready";
  private static final Duration LEASE = Duration.ofSeconds(5);

  private ReplayOwnerMain() {}

  /**
   * Runs until it is stopped or killed.
   *
   * @param args the name of the instance
   */
  public static void main(String[] args) {
    String url = System.getenv(JDBC_URL);
    PGSimpleDataSource relays = new PGSimpleDataSource();
    relays.setURL(url);
    Outledger outledger =
        Outledger.builder(new SmallPool(url + "&reWriteBatchedInserts=true"))
            .relayDataSource(relays)
            .instance(args[0])
            .withoutRetention()
            .build();
    outledger
        .relay(EffectsPublisher.SUBSCRIPTION)
        .options(options -> options.lease(LEASE))
        .to(EffectsPublisher.ROUTE, Accepts.everything(), new EffectsPublisher(outledger))
        .start();
    System.out.println(READY);
  }
}
