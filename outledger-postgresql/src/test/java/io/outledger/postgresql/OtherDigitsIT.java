// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.Postgres;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Applications whose default locale writes numbers in other digits than 0 to 9. */
class OtherDigitsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void applicationsOfTwoLocalesProcessEachMessageOnce() throws Exception {
    TestDatabase database = TestDatabase.empty();
    try (ChildJvm arabic =
        ChildJvm.of(ArabicApplication.class)
            .property("user.language", "ar")
            .property("user.country", "EG")
            .args(Postgres.shared().jdbcUrl(database.name))
            .start()) {
      assertThat(arabic.awaitExit(PATIENCE)).as(arabic.outputTail()).isZero();
    }
    assertThat(database.query("SELECT position FROM outledger_processed"))
        .containsExactlyInAnyOrderElementsOf(
            database.query("SELECT position FROM outledger_message"))
        .hasSize(ArabicApplication.MESSAGES);

    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      assertThat(outledger.subscriptions().move("app", Start.EARLIEST).known())
          .isEqualTo(ArabicApplication.MESSAGES);
      try (Relay relay =
          outledger.relay("app").handler("count", ArabicApplication::process).build()) {
        relay.drain(PATIENCE);
      }
    }

    assertThat(database.count("outledger_pending")).isZero();
    assertThat(database.query("SELECT version FROM effect ORDER BY version"))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, ArabicApplication.MESSAGES)
                .mapToObj(String::valueOf)
                .toList());
  }
}
