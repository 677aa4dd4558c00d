// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.servers.Await;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Thousands of bad messages stall nobody: each is parked for itself. */
class ManyRejectionsIT {

  private static final int BAD = 2_000;
  private static final int GOOD = 200;

  @Test
  void thousandsOfDefinitelyBadMessagesWithKeysOfTheirOwnStallNothing() throws SQLException {
    try (StoreBench bench = new StoreBench()) {
      Backoff backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
      bench.options =
          StoreBench.options()
              .retry(RetryPolicy.DEFAULT.withAttemptsMax(2).withBackoff(backoff))
              .build();
      bench.publisher.rejectWhen(
          message -> message.payload().length > 100,
          new Outcome.Rejected("too large", Outcome.Rejected.Kind.DEFINITE));
      appendInTurn(bench);
      Relay relay = bench.relay();
      bench.steps(relay, 10);
      assertThat(bench.published()).hasSize(GOOD);
      Await.until(
          "all bad messages are dead",
          Duration.ofMinutes(2),
          () -> {
            bench.clock.advance(Duration.ofMillis(200));
            relay.step();
            return bench.database.number(
                    "SELECT count(*) FROM outledger_parked WHERE state = 'dead'")
                == BAD;
          });
      assertThat(bench.events(RelayEvent.Died.class)).hasSize(BAD);
      assertThat(bench.events(RelayEvent.BreakerOpened.class)).isEmpty();
      assertThat(bench.database.number("SELECT count(*) FROM outledger_parked")).isEqualTo(BAD);
      assertThat(bench.published()).doesNotHaveDuplicates();
    }
  }

  private static void appendInTurn(StoreBench bench) throws SQLException {
    bench.database.execute(
        """
        INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)
        SELECT clock_timestamp(), gen_random_uuid(), 1, 'orders', 'k' || i, 'order.placed',
               convert_to(CASE WHEN i %% 11 = 0 THEN 'good' || i ELSE repeat('x', 101) END, 'UTF8')
          FROM generate_series(1, %d) i\
        """
            .formatted(BAD + GOOD));
  }
}
