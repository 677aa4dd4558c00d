// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A relay keeps its connection: what HikariCP's leak detection says of that. */
class RelayDataSourceIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream standardError = System.err;

  @BeforeEach
  void captureLog() {
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void showLog() {
    System.setErr(standardError);
  }

  @Test
  void leakDetectionReportsARelayOnThePoolAndNoneWithADataSourceOfItsOwn() {
    PGSimpleDataSource direct = new PGSimpleDataSource();
    direct.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    Schema.of(direct).apply(direct);
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setDataSource(direct);
      pool.setLeakDetectionThreshold(2_000);
      try (Outledger recommended = Outledger.builder(pool).relayDataSource(direct).build();
          RunningRelay first = started(recommended, "of-its-own");
          Outledger plain = Outledger.builder(pool).build();
          RunningRelay second = started(plain, "on-the-pool")) {
        // The relay that was started first has kept its connection for longer by then.
        Await.until("a report of a leak", TIMEOUT, () -> text().contains("leak detection"));
        assertThat(first).isNotSameAs(second);
      }
    }
    assertThat(text()).contains("on-the-pool").doesNotContain("of-its-own");
  }

  private static RunningRelay started(Outledger outledger, String subscription) {
    RunningRelay relay =
        outledger.relay(subscription).handlerWithoutTransaction("nothing", message -> {}).start();
    Await.until("the lease", TIMEOUT, () -> relay.state() == StepReport.State.OWNER);
    return relay;
  }

  private String text() {
    return log.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("leak detection"))
        .reduce("", (all, line) -> all + line + "\n");
  }
}
