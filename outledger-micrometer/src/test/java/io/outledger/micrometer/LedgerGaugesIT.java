// SPDX-License-Identifier: Apache-2.0
package io.outledger.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.admin.Verb;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.PauseScope;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerGaugesIT {

  private static final int SAMPLES = 20;
  private static final double MILLISECOND = 0.001;
  private static final double PATIENCE_SECONDS = 30;

  private final JdbcDataSource dataSource = new JdbcDataSource();
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private Outledger outledger;
  private LedgerGauges gauges;

  @BeforeEach
  void open() {
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    Schema.of(dataSource).apply(dataSource);
    outledger =
        Outledger.builder(dataSource).relayDataSource(dataSource).withoutRetention().build();
    gauges = new LedgerGauges(outledger.admin(), registry);
  }

  @AfterEach
  void close() {
    gauges.close();
    outledger.close();
  }

  private double gauge(String name, String... tags) {
    return registry.get("outledger." + name).tags(tags).gauge().value();
  }

  private void append(String key) {
    outledger.outbox().inNewTransaction(Message.to("orders", "placed").key(key).build());
  }

  private double sql(String query) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getDouble(1) : Double.NaN;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void ledgerThatNobodyReadsIsShown() {
    append("a");
    gauges.read();

    assertThat(gauge("ledger.readable")).isEqualTo(1);
    assertThat(gauge("ledger.unread")).isEqualTo(1);
    assertThat(gauge("ledger.oldest")).isNotNegative();
    assertThat(gauge("ledger.size")).isNotNegative(); // in memory it takes no room on disk
  }

  @Test
  void gaugesSayWhatTheTablesSay() throws InterruptedException {
    RelayBuilder builder =
        outledger
            .relay("mails")
            .handlerWithoutTransaction("mail", LedgerGaugesIT::failForBadKeys)
            .options(options -> options.retry(RetryPolicy.DEFAULT.withAttemptsMax(1)));
    try (Relay relay = builder.build()) {
      for (int sample = 0; sample < SAMPLES; sample++) {
        append((sample % 3 == 0 ? "bad" : "good") + sample);
        if (sample % 2 == 0) {
          relay.drain(Duration.ofMinutes(1));
        }
        pauseOrResume(sample);
        schedule(sample);
        moveSagas(sample);
        double[] before = ages();
        gauges.read();
        assertAges(before, ages());
        assertScheduledAndSagas();
        assertShown("lowest", "SELECT lowest FROM outledger_lag");
        assertShown("pauses", "SELECT COUNT(*) FROM outledger_pause WHERE NOT ended");
        assertShown("high", "SELECT high FROM outledger_subscription");
        assertShown("behind", "SELECT behind FROM outledger_lag");
        assertShown("open.ranges", "SELECT open_ranges FROM outledger_lag");
        for (String state : List.of("dead", "retrying", "held")) {
          assertThat(gauge("parked", "reader", "mails", "state", state))
              .isEqualTo(
                  sql("SELECT COUNT(*) FROM outledger_parked WHERE state = '%s'".formatted(state)));
        }
        assertShown("running", "SELECT CASE WHEN running THEN 1 ELSE 0 END FROM outledger_lag");
        assertThat(gauge("subscription.lacking", "subscription", "mails")).isZero();
      }
    }
    gauges.read();
    assertThat(gauge("parked", "reader", "mails", "state", "dead")).isPositive();
    assertThat(gauge("saga.stuck", "saga", "mail")).isPositive();
    assertThat(gauge("scheduled.late")).isGreaterThan(60);
    assertThat(gauge("subscription.oldest", "subscription", "mails")).isPositive();
    assertThat(gauge("subscription.running", "subscription", "mails")).isZero();
  }

  /** Some of them in future, some due for a minute and longer; nobody moves them here. */
  private void schedule(int sample) {
    if (sample % 5 != 0) {
      execute(
          "INSERT INTO outledger_scheduled"
              + " (due_at, scheduled_at, id, version, topic, type, payload) VALUES"
              + " (CURRENT_TIMESTAMP + INTERVAL '%d' MINUTE, CURRENT_TIMESTAMP, RANDOM_UUID(), 1,"
                  .formatted(sample % 2 == 0 ? 10 : -sample)
              + " 'orders', 'placed', X'')");
    }
    if (sample % 7 == 6) {
      execute(
          "DELETE FROM outledger_scheduled WHERE due_at ="
              + " (SELECT MIN(due_at) FROM outledger_scheduled)");
    }
  }

  /** Those of keys whose message has failed are stuck. */
  private void moveSagas(int sample) {
    String key = (sample % 3 == 0 ? "bad" : "good") + sample;
    execute(
        "INSERT INTO outledger_saga (saga, saga_key, version, phase, state_type, state_version,"
            + " payload, started_at, changed_at) VALUES ('mail', '%s', 1, 'running', 's', 1, X'',"
                .formatted(key)
            + " CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)");
    if (sample % 6 == 5) {
      execute("DELETE FROM outledger_saga WHERE saga_key = 'bad" + (sample - 5) + "'");
    }
  }

  private void assertScheduledAndSagas() {
    String rows = "SELECT COUNT(*) FROM outledger_scheduled";
    String due = " WHERE due_at <= CURRENT_TIMESTAMP";
    assertThat(gauge("scheduled.waiting")).isEqualTo(sql(rows));
    assertThat(gauge("scheduled.due")).isEqualTo(sql(rows + due));
    double late =
        sql(
            "SELECT COALESCE(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP - MIN(due_at)), 0)"
                + " FROM outledger_scheduled"
                + due);
    assertThat(gauge("scheduled.late")).isBetween(late - PATIENCE_SECONDS, late + MILLISECOND);
    assertThat(gauge("saga.stuck", "saga", "mail"))
        .isEqualTo(
            sql(
                "SELECT COUNT(*) FROM outledger_saga s WHERE EXISTS (SELECT 1"
                    + " FROM outledger_parked p WHERE p.route = s.saga"
                    + " AND p.message_key = s.saga_key AND p.state = 'dead')"));
  }

  private void execute(String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertShown(String name, String query) {
    assertThat(gauge("subscription." + name, "subscription", "mails"))
        .as(name)
        .isEqualTo(sql(query));
  }

  /** How old is what waits, and what is not published, in seconds; both grow while one looks. */
  private double[] ages() {
    return new double[] {
      sql("SELECT EXTRACT(EPOCH FROM waiting_age) FROM outledger_lag"),
      sql("SELECT EXTRACT(EPOCH FROM oldest_age) FROM outledger_lag")
    };
  }

  private void assertAges(double[] before, double[] after) {
    assertThat(gauge("subscription.waiting", "subscription", "mails"))
        .isBetween(before[0] - MILLISECOND, after[0]);
    assertThat(gauge("subscription.oldest", "subscription", "mails"))
        .isBetween(before[1] - MILLISECOND, after[1]);
  }

  private void pauseOrResume(int sample) {
    PauseScope what = PauseScope.topic("bills");
    if (sample % 4 == 1) {
      pause(what);
    } else if (sample % 4 == 3) {
      outledger.requests().ask(new Verb.Resume("mails", what).by("anna", "vendor up"));
    }
  }

  private static void failForBadKeys(Message message) {
    if (String.valueOf(message.key()).startsWith("bad")) {
      throw new IllegalArgumentException("planted");
    }
  }

  @Test
  void pausedSubscriptionIsShownAlsoWhereNobodyRunsIt() throws InterruptedException {
    try (Relay relay =
        outledger.relay("mails").handlerWithoutTransaction("mail", message -> {}).build()) {
      relay.drain(Duration.ofMinutes(1));
    }
    gauges.read();
    assertThat(gauge("subscription.pauses")).isZero();
    pause(PauseScope.topic("orders"));
    append("a");
    while (sql("SELECT EXTRACT(EPOCH FROM waiting_age) FROM outledger_lag") < MILLISECOND) {
      Thread.onSpinWait();
    }
    gauges.read();
    assertThat(gauge("subscription.pauses")).isEqualTo(1);
    assertThat(gauge("subscription.paused")).isZero();
    assertThat(gauge("subscription.publishable")).isEqualTo(gauge("subscription.waiting"));
    assertThat(gauge("subscription.paused.waiting")).isZero();
    pause(PauseScope.subscription());
    gauges.read();
    assertThat(gauge("subscription.publishable")).isZero();
    assertThat(gauge("subscription.paused.waiting"))
        .isEqualTo(gauge("subscription.waiting"))
        .isPositive();
    assertThat(gauge("subscription.pauses")).isEqualTo(2);
    assertThat(gauge("subscription.paused")).isEqualTo(1);
    assertThat(gauge("subscription.running")).isZero();
  }

  @Test
  void eachPartitionIsShownByItself() throws InterruptedException {
    CountDownLatch handled = new CountDownLatch(1);
    try (RunningRelay relay =
        outledger
            .relay("mails")
            .partitions(3)
            .handlerWithoutTransaction("mail", message -> handled.countDown())
            .start()) {
      append("a");
      assertThat(handled.await(5, TimeUnit.MINUTES)).isTrue();
      assertThat(relay.state()).isNotNull();
    }
    for (int i = 0; i < 9; i++) {
      append("k" + i);
    }
    gauges.read();
    double behind = 0;
    for (int partition = 1; partition <= 3; partition++) {
      double one =
          gauge(
              "subscription.behind",
              "subscription",
              "mails",
              "partition",
              String.valueOf(partition));
      assertThat(one)
          .isEqualTo(sql("SELECT behind FROM outledger_lag WHERE partition_no = " + partition));
      behind += one;
    }
    assertThat(behind).isPositive();
  }

  private void pause(PauseScope what) {
    outledger.requests().ask(new Verb.Pause("mails", what).by("anna", "vendor down"));
  }

  @Test
  void whereTheDatabaseCannotBeReadTheOtherGaugesAreGone() {
    append("a");
    gauges.read();
    outledger.close(); // so that its admin fails
    gauges.read();

    assertThat(gauge("ledger.readable")).isZero();
    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .extracting(Meter.Id::getName)
        .containsExactly("outledger.ledger.readable");
  }

  @Test
  void intervalBelowASecondIsRefused() {
    assertThatThrownBy(
            () -> LedgerGauges.start(outledger.admin(), registry, Duration.ofMillis(999)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("every is PT0.999S but must be a second or more");
  }
}
