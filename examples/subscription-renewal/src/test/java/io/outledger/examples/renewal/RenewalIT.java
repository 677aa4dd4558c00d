// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.examples.renewal.Commands.BeginSubscription;
import io.outledger.examples.renewal.Commands.Command;
import io.outledger.examples.renewal.Commands.RenewSubscription;
import io.outledger.examples.renewal.Commands.RenewalOutcome;
import io.outledger.examples.renewal.FulfilmentMessages.FulfilRenewal;
import io.outledger.examples.renewal.FulfilmentMessages.GrantAccess;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentRefused;
import io.outledger.examples.renewal.FulfilmentMessages.PaymentTaken;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFailed;
import io.outledger.examples.renewal.FulfilmentMessages.RenewalFulfilled;
import io.outledger.examples.renewal.FulfilmentMessages.TakePayment;
import io.outledger.examples.renewal.Messages.PriceListPublished;
import io.outledger.examples.renewal.Messages.RenewalConfirmed;
import io.outledger.examples.renewal.Messages.RenewalConfirmedV1;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.junit.OutledgerExtension;
import io.outledger.junit.crash.CrashTest;
import io.outledger.junit.crash.CrashTrial;
import io.outledger.testing.SettableClock;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each pattern, seen from outside: by what is published, and by what the tables show. */
class RenewalIT {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final DataSource database = Databases.empty();

  @RegisterExtension
  final OutledgerExtension outledger =
      OutledgerExtension.on(() -> database)
          .configure(b -> b.serializer(JacksonSerializer.create()).events(Contract::register))
          .relay("background", relay -> application().handlers(relay));

  private Application application() {
    return new Application(outledger.outledger(), outledger.clock());
  }

  private <R> R send(Command<R> command) throws SQLException {
    return application().mediator().send(command);
  }

  @BeforeEach
  void publishPrices() throws SQLException {
    outledger.clock().setNow(NOON);
    application().prices().set("basic", new Prices.Price(500, "EUR"));
    application().prices().set("plus", new Prices.Price(900, "EUR"));
    application().prices().set(Access.FULL, new Prices.Price(700, "EUR"));
    application().prices().set(Contract.TRIAL, new Prices.Price(0, "EUR"));
  }

  @Test
  void oneDomainEventBecomesAnEnrichedEventAndACommandWhoseAnswerIsAnEvent() throws Exception {
    send(new BeginSubscription("s-1", "basic"));
    send(new RenewSubscription("s-1", new Renewal.Extended(12)));
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
        .hasPublished(GrantAccess.class)
        .hasPublished(RenewalFulfilled.class)
        .inOrderOfKeys();
    assertThat(Demo.lines(database))
        .containsExactlyInAnyOrder(
            "subscription s-1, basic until 2027-03-01, paid yes",
            "payment of 6000 EUR by s-1 for s-1/1",
            "access by s-1/1",
            "letter, s-1 extended: 12 months for 6000 EUR");
  }

  @Test
  void anUpgradeCostsWhatTheOtherPlanCosts() throws Exception {
    send(new BeginSubscription("s-1", "basic"));
    send(new RenewSubscription("s-1", new Renewal.Upgraded("plus", 2)));
    outledger.settle();

    assertThat(Demo.lines(database))
        .contains(
            "subscription s-1, plus until 2026-05-01, paid yes",
            "payment of 1800 EUR by s-1 for s-1/1");
  }

  @Test
  void aGiftIsPaidByWhoGivesIt() throws Exception {
    send(new BeginSubscription("s-1", "basic"));
    send(new RenewSubscription("s-1", new Renewal.Gifted("grace", 1)));
    outledger.settle();

    assertThat(Demo.lines(database)).contains("payment of 500 EUR by grace for s-1/1");
  }

  /** By the clock that was handed in. */
  @Test
  void aRenewalBeginsAtTheEndOfWhatIsPaidOrTodayIfThatIsOver() throws Exception {
    send(new BeginSubscription("s-1", "basic"));

    assertThat(send(new RenewSubscription("s-1", new Renewal.Extended(1))))
        .isEqualTo(new RenewalOutcome.Renewed(LocalDate.of(2026, 4, 1)));
    assertThat(send(new RenewSubscription("s-1", new Renewal.Extended(1))))
        .isEqualTo(new RenewalOutcome.Renewed(LocalDate.of(2026, 5, 1)));
    outledger.clock().advance(Duration.ofDays(100));
    assertThat(send(new RenewSubscription("s-1", new Renewal.Extended(1))))
        .isEqualTo(new RenewalOutcome.Renewed(LocalDate.of(2026, 7, 9)));
  }

  @Test
  void aSubscriptionThatIsNotThereIsAnAnswerAndNothingIsPublished() throws Exception {
    assertThat(send(new RenewSubscription("s-0", new Renewal.Extended(1))))
        .isEqualTo(new RenewalOutcome.NotFound("s-0"));
    outledger.settle();

    outledger.assertThatPublished().hasNotPublished(RenewalConfirmed.class);
  }

  @Test
  void aRefusedPaymentEndsTheSubscription() throws Exception {
    send(new BeginSubscription("s-1", "basic"));
    send(new RenewSubscription("s-1", new Renewal.Extended(24)));
    outledger.settle();

    outledger
        .assertThatPublished()
        .hasPublishedExactly(
            PriceListPublished.class,
            PriceListPublished.class,
            PriceListPublished.class,
            PriceListPublished.class,
            RenewalConfirmed.class,
            FulfilRenewal.class,
            TakePayment.class,
            PaymentRefused.class,
            RenewalFailed.class);
    assertThat(Demo.lines(database)).contains("subscription s-1, basic until 2026-03-01, paid no");
  }

  @Test
  void whatCannotBeProvidedIsPaidBack() throws Exception {
    send(new BeginSubscription("s-1", Access.FULL));
    send(new RenewSubscription("s-1", new Renewal.Extended(2)));
    outledger.settle();

    assertThat(Demo.lines(database))
        .contains(
            "payment of 1400 EUR by s-1 for s-1/1",
            "payment of -1400 EUR by s-1 for s-1/1",
            "subscription s-1, full until 2026-03-01, paid no");
  }

  @Test
  void aTrialSendsNoCommand() throws Exception {
    send(new BeginSubscription("s-1", Contract.TRIAL));
    send(new RenewSubscription("s-1", new Renewal.Extended(1)));
    outledger.settle();

    outledger
        .assertThatPublished()
        .hasPublished(RenewalConfirmed.class)
        .hasNotPublished(FulfilRenewal.class);
  }

  @Test
  void theGuardRefusesARenewalOfNoMonthAndNothingIsSaved() throws Exception {
    send(new BeginSubscription("s-1", "basic"));

    assertThatThrownBy(() -> send(new RenewSubscription("s-1", new Renewal.Upgraded("plus", 0))))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("a renewal of no month");
    assertThat(Demo.lines(database))
        .containsExactly("subscription s-1, basic until 2026-03-01, paid -");
  }

  @Test
  void anOldVersionIsStillRead() throws Exception {
    outledger.outledger().outbox().inNewTransaction(new RenewalConfirmedV1("s-0", 12, 6000));
    outledger.settle();

    assertThat(Demo.lines(database))
        .containsExactly("letter, s-0 extended: 12 months for 6000 EUR");
  }

  /** Whichever step it crashes at, a renewal is confirmed, paid and provided once. */
  @CrashTest
  void aRenewalIsConfirmedPaidAndProvidedOnce(CrashTrial trial) throws Exception {
    DataSource own = Databases.empty();
    try (Application before = Application.on(own, new SettableClock(NOON))) {
      before.prices().set("basic", new Prices.Price(500, "EUR"));
      before.mediator().send(new BeginSubscription("s-1", "basic"));
    }
    trial
        .start(process -> Application.on(process.dataSource(own), process.clock()))
        .request(
            application ->
                application.mediator().send(new RenewSubscription("s-1", new Renewal.Extended(12))))
        .settle((process, application) -> process.drain(application.background()))
        .observe(() -> Demo.lines(own))
        .check();
  }
}
