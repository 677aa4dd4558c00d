// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.testing.RecordingPublisher;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a relay that runs makes of it that somebody has removed rows which the schema inserts. */
abstract class LostRowContractTests extends DatabaseContractTests {

  private static final Pattern FILLED =
      Pattern.compile("^INSERT (?:IGNORE )?INTO \\S*(outledger_\\w+)", Pattern.MULTILINE);

  /** An owner looks at what it rests on twice a minute, of which this makes some hundred steps. */
  private static final TimeSource TIME = CountedTime.of(Duration.ofMillis(20));

  private final RecordingPublisher publisher = new RecordingPublisher();

  @Test
  final void relayNamesTheTableOfALostRowAndGoesOnOnceItIsPutBack() {
    try (Outledger relaying =
            Outledger.builder(dataSource()).withoutRetention().time(TIME).build();
        RunningRelay relay =
            relaying
                .relay(SUBSCRIPTION)
                .options(options -> options.lease(Duration.ofSeconds(10)))
                .to(publisher)
                .start()) {
      assertPublishes(relay, "first");
      for (String table : tables()) {
        execute("DELETE FROM " + table);
        until("the relay to miss the row of " + table, () -> isTold(relay, table));
        database().schema().apply(dataSource());
        assertPublishes(relay, table);
      }
    }
  }

  /** Without the one by which a release knows the tables: who runs has looked at that before. */
  private Set<String> tables() {
    Set<String> tables = new LinkedHashSet<>();
    Matcher filled = FILLED.matcher(database().schema().print());
    while (filled.find()) {
      tables.add(filled.group(1));
    }
    tables.remove("outledger_schema");
    assertThat(tables).contains("outledger_retention");
    return tables;
  }

  private boolean isTold(RunningRelay relay, String table) {
    relay.wake();
    return count(
            "SELECT count(*) FROM outledger_lag WHERE subscription = ? AND state = 'refused'"
                + " AND reason LIKE ?",
            SUBSCRIPTION,
            "OUT-003 table " + table + "%")
        == 1;
  }

  private void assertPublishes(RunningRelay relay, String key) {
    append(key);
    until(
        relay,
        () -> {
          relay.wake();
          return publisher.messages().stream().map(Message::key).anyMatch(key::equals);
        });
  }
}
