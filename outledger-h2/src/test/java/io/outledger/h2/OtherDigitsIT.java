// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Applications whose default locale writes numbers in other digits than 0 to 9. */
final class OtherDigitsIT {

  private static final Locale ARABIC = Locale.forLanguageTag("ar-EG-u-nu-arab");
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Locale before = Locale.getDefault();
  private final List<Integer> processed = new CopyOnWriteArrayList<>();

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  @Test
  void applicationsOfTwoLocalesProcessEachMessageOnce() throws Exception {
    Locale.setDefault(ARABIC);
    try (TestH2 database = TestH2.create()) {
      append(database);
      process(database);
      assertThat(processed).containsExactly(1, 2);

      Locale.setDefault(Locale.ENGLISH);
      try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
        assertThat(outledger.subscriptions().move("app", Start.EARLIEST).known()).isEqualTo(2);
      }
      process(database);
      assertThat(processed).containsExactly(1, 2);
    }
  }

  @Test
  void applicationForgetsWhatOneOfAnotherLocaleHasProcessed() throws Exception {
    Locale.setDefault(Locale.ENGLISH);
    try (TestH2 database = TestH2.create()) {
      append(database);
      process(database);

      Locale.setDefault(ARABIC);
      try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
        assertThat(outledger.subscriptions().moveAndProcessAgain("app", Start.at(2)).forgotten())
            .isEqualTo(1);
      }
      process(database);
      assertThat(processed).containsExactly(1, 2, 2);
    }
  }

  private static void append(TestH2 database) throws Exception {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      for (int version = 1; version <= 2; version++) {
        outledger
            .outbox()
            .inNewTransaction(
                Message.to("orders", "order.placed").key("k").version(version).build());
      }
    }
  }

  private void process(TestH2 database) throws Exception {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        Relay relay =
            outledger
                .relay("app")
                .handler("count", (connection, message) -> processed.add(message.version()))
                .build()) {
      relay.drain(PATIENCE);
    }
  }
}
