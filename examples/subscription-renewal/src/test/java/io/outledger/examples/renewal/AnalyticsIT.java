// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.outledger.examples.renewal.Analyst.Figure;
import io.outledger.examples.renewal.Messages.RenewalConfirmed;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several subscribers of one stream. */
class AnalyticsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Backoff AT_ONCE = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));

  private final DataSource database = Databases.empty();
  private final Outledger outledger =
      Outledger.builder(database)
          .serializer(JacksonSerializer.create())
          .events(Contract::register)
          .build();

  @BeforeEach
  void confirmRenewals() {
    outledger
        .outbox()
        .inNewTransaction(
            new RenewalConfirmed("s-1", "extended", 12, 6000, "EUR"),
            new RenewalConfirmed("s-2", "gifted", 1, 500, "EUR"),
            new RenewalConfirmed("s-1", "extended", 1, 500, "EUR"));
  }

  @AfterEach
  void close() {
    outledger.close();
  }

  @Test
  void everySubscriberCountsEveryRenewal() throws Exception {
    try (Analytics analytics = new Analytics(outledger, Analytics.QUESTIONS);
        Relay relay = analytics.relay().build()) {
      relay.drain(PATIENCE);
    }

    assertThat(Demo.lines(database))
        .containsExactlyInAnyOrder(
            "figure, worth in cents, EUR: 7000",
            "figure, renewals, extended: 2",
            "figure, renewals, gifted: 1");
  }

  /** What comes again for one of them, the other has in its inbox. */
  @Test
  void subscriberThatFailsIsTriedAgainAndTheOtherCountsOnce() {
    AtomicInteger asked = new AtomicInteger();
    Map<String, Analyst.Question> questions =
        Map.of(
            "worth",
            Analytics.WORTH,
            "fails",
            renewal -> {
              if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
              }
              return new Figure("asked", 1);
            });
    try (Analytics analytics = new Analytics(outledger, questions);
        Relay relay =
            analytics
                .relay()
                .options(o -> o.retry(RetryPolicy.DEFAULT.withBackoff(AT_ONCE)))
                .build()) {
      assertTimeoutPreemptively(PATIENCE, () -> drainUntil("figure, asked: 3", relay));
    }

    assertThat(lines()).contains("figure, worth in cents, EUR: 7000");
    assertThat(asked).hasValue(4);
  }

  private void drainUntil(String line, Relay relay) throws InterruptedException {
    while (!lines().contains(line)) {
      relay.drain(PATIENCE);
    }
  }

  private List<String> lines() {
    try {
      return Demo.lines(database);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
