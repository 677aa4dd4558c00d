// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.options.Route;
import io.outledger.servers.Await;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The sessions of relay and writers are terminated by the server while they are at work. */
class TerminatedSessionsIT {

  private static final int ROUNDS = 60;
  private static final String TERMINATE =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
          + " WHERE datname = current_database() AND pid <> pg_backend_pid()";

  @Test
  void nothingIsLostReorderedOrMadeUpWhateverMomentASessionEnds() throws SQLException {
    Random random = new Random(7);
    try (StoreBench bench = new StoreBench();
        Connection terminating = bench.database.connect();
        Statement terminate = terminating.createStatement();
        RunningRelay relay = start(bench)) {
      for (int i = 1; i <= ROUNDS; i++) {
        try (Connection ghost = bench.begin()) {
          bench.append(ghost, "ghost", i, i);
          bench.append("k", i, i);
          terminate.execute("SELECT pg_sleep(" + random.nextInt(40) / 1000.0 + ")");
          terminate.execute(TERMINATE);
        }
      }
      Await.until(
          () -> bench.published().size() + " arrived, " + relay.state(),
          Duration.ofSeconds(60),
          () -> bench.published().contains("k" + ROUNDS));
      assertThat(bench.published().stream().distinct()).containsExactlyElementsOf(all());
    }
  }

  private static RunningRelay start(StoreBench bench) {
    Relay relay =
        new Relay(
            bench.database.store(StoreBench.SUBSCRIPTION),
            List.of(Route.only(bench.publisher)),
            bench.options,
            event -> {},
            new Relay.Surroundings(TimeSource.system(), new Random(1)));
    return RunningRelay.start(relay, "kafka", TimeSource.system(), Duration.ofSeconds(10));
  }

  private static List<String> all() {
    return IntStream.rangeClosed(1, ROUNDS).mapToObj(i -> "k" + i).toList();
  }
}
