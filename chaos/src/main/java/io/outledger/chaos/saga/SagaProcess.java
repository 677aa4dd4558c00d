// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import io.outledger.jdbc.Outledger;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** A process that runs the saga and the services around it, until it is stopped or killed. */
public final class SagaProcess {

  static final String SUBSCRIPTION = "sagas";

  /** The line that it says when it has started. */
  static final String READY = "ready";

  /** The variable that holds the database: a command line can be read by everybody. */
  static final String JDBC_URL = "OUTLEDGER_CHAOS_JDBC_URL";

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final int PARTITIONS = 4;

  private SagaProcess() {}

  /** Runs. */
  @SuppressWarnings("SystemOut") // the way a process tells whoever started it
  public static void main(String... args) {
    Outledger outledger = outledger(System.getenv(JDBC_URL));
    outledger
        .relay(SUBSCRIPTION)
        .saga(new OrderSaga())
        .handler("services", OrderServices::handlers)
        .options(options -> options.lease(LEASE))
        .partitions(PARTITIONS)
        .start();
    Runtime.getRuntime().addShutdownHook(new Thread(outledger::close, "stop"));
    System.out.println(READY);
    System.out.flush();
  }

  /** Returns what works with the orders of a database. */
  static Outledger outledger(String jdbcUrl) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(jdbcUrl);
    dataSource.setConnectTimeout(2);
    return Outledger.builder(dataSource)
        .relayDataSource(dataSource) // of which each partition keeps a connection
        .serializer(OrderEvents.TEXTS)
        .events(OrderEvents::register)
        .withoutRetention()
        .build();
  }
}
