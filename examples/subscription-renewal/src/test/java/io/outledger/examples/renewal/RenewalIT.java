// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.examples.renewal.Messages.PaymentRefused;
import io.outledger.examples.renewal.Messages.PaymentTaken;
import io.outledger.examples.renewal.Messages.PriceListPublished;
import io.outledger.examples.renewal.Messages.RenewalConfirmed;
import io.outledger.examples.renewal.Messages.RenewalConfirmedV1;
import io.outledger.examples.renewal.Messages.TakePayment;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.junit.OutledgerExtension;
import io.outledger.junit.crash.CrashTest;
import io.outledger.junit.crash.CrashTrial;
import io.outledger.time.TimeSource;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each pattern, seen from outside: by what is published, and by what the tables show. */
class RenewalIT {

  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final DataSource database = emptyDatabase();

  @RegisterExtension
  final OutledgerExtension outledger =
      OutledgerExtension.on(() -> database)
          .configure(b -> b.serializer(JacksonSerializer.create()).events(Contract::register))
          .relay(
              "background",
              relay ->
                  relay
                      .handler("payments", Payments::handle)
                      .handler("subscriptions", Subscriptions::handle)
                      .handler("letters", Letters::handle));

  private static DataSource emptyDatabase() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:renewal" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
    try {
      Application.createTables(database);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return database;
  }

  private Subscriptions subscriptions() {
    return new Subscriptions(outledger.outledger().transactions(), outledger.outledger().outbox());
  }

  @BeforeEach
  void publishPrices() throws SQLException {
    Prices prices =
        new Prices(outledger.outledger().transactions(), outledger.outledger().outbox());
    prices.set("basic", new Prices.Price(500, "EUR"));
    prices.set(Contract.TRIAL, new Prices.Price(0, "EUR"));
  }

  @Test
  void oneDomainEventBecomesAnEnrichedEventAndACommandWhoseAnswerIsAnEvent() throws Exception {
    subscriptions().begin("s-1", "basic");
    subscriptions().renew("s-1", 12);
    outledger.settle();

    outledger
        .assertThatPublished()
        .hasPublished(
            RenewalConfirmed.class, renewal -> assertThat(renewal.cents()).isEqualTo(6000))
        .withKey("s-1")
        .toTopic("subscriptions")
        .hasPublished(TakePayment.class)
        .toTopic("payments")
        .hasPublished(PaymentTaken.class)
        .inOrderOfKeys();
    assertThat(Renewal.lines(database))
        .containsExactlyInAnyOrder(
            "subscription s-1, months 12, paid yes",
            "payment of 6000 EUR for s-1",
            "letter, s-1: 12 months for 6000 EUR");
  }

  @Test
  void aRefusedPaymentEndsTheSubscriptionAndNobodyOutsideHearsOfThat() throws Exception {
    subscriptions().begin("s-1", "basic");
    subscriptions().renew("s-1", 24);
    outledger.settle();

    outledger
        .assertThatPublished()
        .hasPublishedExactly(
            PriceListPublished.class,
            PriceListPublished.class,
            RenewalConfirmed.class,
            TakePayment.class,
            PaymentRefused.class);
    assertThat(Renewal.lines(database)).contains("subscription s-1, months 0, paid no");
  }

  @Test
  void aTrialSendsNoCommand() throws Exception {
    subscriptions().begin("s-1", Contract.TRIAL);
    subscriptions().renew("s-1", 1);
    outledger.settle();

    outledger
        .assertThatPublished()
        .hasPublished(RenewalConfirmed.class)
        .hasNotPublished(TakePayment.class);
  }

  @Test
  void theGuardRefusesARenewalOfNoMonthAndNothingIsSaved() throws Exception {
    subscriptions().begin("s-1", "basic");

    assertThatThrownBy(() -> subscriptions().renew("s-1", 0))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("a renewal of no month");
    assertThat(Renewal.lines(database)).containsExactly("subscription s-1, months 0, paid -");
  }

  @Test
  void anOldVersionIsStillRead() throws Exception {
    outledger.outledger().outbox().inNewTransaction(new RenewalConfirmedV1("s-0", 12, 6000));
    outledger.settle();

    assertThat(Renewal.lines(database)).containsExactly("letter, s-0: 12 months for 6000 EUR");
  }

  /** Whichever step it crashes at, a renewal is confirmed once and paid once. */
  @CrashTest
  void aRenewalIsConfirmedAndPaidOnce(CrashTrial trial) throws Exception {
    DataSource own = emptyDatabase();
    try (Application before = new Application(own, TimeSource.system())) {
      before.prices().set("basic", new Prices.Price(500, "EUR"));
      before.subscriptions().begin("s-1", "basic");
    }
    trial
        .start(process -> new Application(process.dataSource(own), process.clock()))
        .request(application -> application.subscriptions().renew("s-1", 12))
        .settle((process, application) -> process.drain(application.background()))
        .observe(() -> Renewal.lines(own))
        .check();
  }
}
