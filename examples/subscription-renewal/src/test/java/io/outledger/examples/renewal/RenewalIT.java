// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.examples.renewal.Commands.BeginSubscription;
import io.outledger.examples.renewal.Commands.BeginningOutcome;
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
import io.outledger.examples.renewal.Messages.PlanChanged;
import io.outledger.examples.renewal.Messages.RenewalConfirmed;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.junit.OutledgerExtension;
import io.outledger.junit.crash.CrashTest;
import io.outledger.junit.crash.CrashTrial;
import io.outledger.testing.SettableClock;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    application().prices().set(Access.SOLD_OUT, new Prices.Price(700, "EUR"));
    application().prices().set(Demo.TRIAL, new Prices.Price(0, "EUR"));
  }

  /** Begins a subscription and requests its first renewal. */
  private RenewalOutcome renew(String plan, Renewal renewal) throws SQLException {
    send(new BeginSubscription("s-1", plan));
    return renew(1, renewal);
  }

  private RenewalOutcome renew(int number, Renewal renewal) throws SQLException {
    return send(new RenewSubscription("s-1/" + number, "s-1", renewal));
  }

  @Test
  void oneDomainEventBecomesACommandWhoseAnswerIsAnEvent() throws Exception {
    renew("basic", new Renewal.Extended(12));
    outledger.settle();

    outledger
        .assertThatPublished()
        .hasPublished(TakePayment.class)
        .toTopic("payments")
        .hasPublished(PaymentTaken.class)
        .hasPublished(GrantAccess.class)
        .hasPublished(RenewalFulfilled.class)
        .hasPublished(
            RenewalConfirmed.class, renewal -> assertThat(renewal.cents()).isEqualTo(6000))
        .withKey("s-1")
        .toTopic("subscriptions")
        .hasNotPublished(PlanChanged.class)
        .inOrderOfKeys();
    assertThat(Demo.lines(database))
        .containsExactlyInAnyOrder(
            "subscription s-1, basic until 2027-03-01",
            "renewal s-1/1, fulfilled",
            "payment of 6000 EUR by s-1 for s-1/1",
            "access by s-1/1",
            "letter, s-1 extended: 12 months for 6000 EUR");
  }

  @Test
  void anUpgradeCostsWhatTheOtherPlanCostsAndIsTwoPiecesOfNews() throws Exception {
    renew("basic", new Renewal.Upgraded("plus", 2));
    outledger.settle();

    outledger
        .assertThatPublished()
        .hasPublished(RenewalConfirmed.class)
        .hasPublished(PlanChanged.class)
        .withKey("s-1");
    assertThat(Demo.lines(database))
        .contains(
            "subscription s-1, plus until 2026-05-01", "payment of 1800 EUR by s-1 for s-1/1");
  }

  @Test
  void aGiftIsPaidByWhoGivesIt() throws Exception {
    renew("basic", new Renewal.Gifted("grace", 1));
    outledger.settle();

    assertThat(Demo.lines(database)).contains("payment of 500 EUR by grace for s-1/1");
  }

  /** By the clock that was handed in. */
  @Test
  void aRenewalBeginsAtTheEndOfWhatIsPaidOrTodayIfThatIsOver() throws Exception {
    renew("basic", new Renewal.Extended(1));
    outledger.settle();
    renew(2, new Renewal.Extended(1));
    outledger.settle();
    assertThat(Demo.lines(database)).contains("subscription s-1, basic until 2026-05-01");
    outledger.clock().advance(Duration.ofDays(100));
    renew(3, new Renewal.Extended(1));
    outledger.settle();
    assertThat(Demo.lines(database)).contains("subscription s-1, basic until 2026-07-09");
  }

  @Test
  void theDayOfTheMonthOutlastsAShortMonth() throws Exception {
    outledger.clock().setNow(Instant.parse("2026-01-31T12:00:00Z"));
    renew("basic", new Renewal.Extended(1));
    outledger.settle();
    assertThat(Demo.lines(database)).contains("subscription s-1, basic until 2026-02-28");
    renew(2, new Renewal.Extended(1));
    outledger.settle();
    assertThat(Demo.lines(database)).contains("subscription s-1, basic until 2026-03-31");
  }

  @Test
  void whatIsNotThereIsAnAnswerAndNothingIsPublished() throws Exception {
    assertThat(send(new RenewSubscription("s-0/1", "s-0", new Renewal.Extended(1))))
        .isEqualTo(new RenewalOutcome.NotFound("s-0"));
    assertThat(renew("basic", new Renewal.Upgraded("gold", 1)))
        .isEqualTo(new RenewalOutcome.NotSold("gold"));
    assertThat(send(new BeginSubscription("s-1", "plus")))
        .isEqualTo(new BeginningOutcome.AlreadyThere("s-1"));
    outledger.settle();

    outledger.assertThatPublished().hasNotPublished(FulfilRenewal.class);
  }

  @Test
  void aRenewalThatIsSentAgainIsTheSameAndAnotherOneWaits() throws Exception {
    assertThat(renew("basic", new Renewal.Extended(1)))
        .isEqualTo(new RenewalOutcome.Requested("s-1/1"));
    assertThat(renew(1, new Renewal.Extended(1))).isEqualTo(new RenewalOutcome.Requested("s-1/1"));
    assertThat(renew(2, new Renewal.Extended(1))).isEqualTo(new RenewalOutcome.UnderWay("s-1/1"));
    outledger.settle();

    assertThat(Demo.lines(database))
        .filteredOn(line -> line.startsWith("payment"))
        .containsExactly("payment of 500 EUR by s-1 for s-1/1");
  }

  @Test
  void aRefusedPaymentLeavesWhatIsPaid() throws Exception {
    renew("basic", new Renewal.Extended(12));
    outledger.settle();
    renew(2, new Renewal.Upgraded("plus", 24)); // more than its credit
    outledger.settle();

    outledger
        .assertThatPublished()
        .hasPublished(PaymentRefused.class)
        .hasPublished(RenewalFailed.class)
        .hasNotPublished(PlanChanged.class);
    assertThat(Demo.lines(database))
        .contains("subscription s-1, basic until 2027-03-01", "renewal s-1/2, failed")
        .filteredOn(line -> line.startsWith("letter"))
        .hasSize(1);
  }

  @Test
  void whatCannotBeProvidedIsPaidBack() throws Exception {
    renew(Access.SOLD_OUT, new Renewal.Extended(2));
    outledger.settle();

    assertThat(Demo.lines(database))
        .containsExactlyInAnyOrder(
            "payment of 1400 EUR by s-1 for s-1/1",
            "payment of -1400 EUR by s-1 for s-1/1",
            "renewal s-1/1, failed",
            "subscription s-1, sold-out until 2026-03-01");
  }

  @Test
  void aTrialIsProvidedAndNotPaid() throws Exception {
    renew(Demo.TRIAL, new Renewal.Extended(1));
    outledger.settle();

    outledger.assertThatPublished().hasNotPublished(TakePayment.class);
    assertThat(Demo.lines(database)).contains("access by s-1/1", "renewal s-1/1, fulfilled");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 61, Integer.MAX_VALUE})
  void theGuardRefusesMonthsThatNobodyCanPayAndNothingIsSaved(int months) throws Exception {
    assertThatThrownBy(() -> renew("basic", new Renewal.Upgraded("plus", months)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("a renewal of " + months + " months");
    assertThat(Demo.lines(database)).containsExactly("subscription s-1, basic until 2026-03-01");
  }

  @Test
  void anOldVersionIsStillRead() throws Exception {
    outledger
        .outledger()
        .outbox()
        .inNewTransaction(
            Message.to("subscriptions", "renewal.confirmed")
                .key("s-0")
                .payload(
                    "{\"subscriptionId\":\"s-0\",\"months\":12,\"cents\":6000}".getBytes(UTF_8))
                .build());
    outledger.settle();

    assertThat(Demo.lines(database))
        .containsExactly("letter, s-0 extended: 12 months for 6000 EUR");
  }

  /** Whichever step it crashes at, and though its client asks again. */
  @CrashTest
  void aRenewalIsConfirmedPaidAndProvidedOnce(CrashTrial trial) throws Exception {
    DataSource own = Databases.empty();
    try (Application before = Application.on(own, new SettableClock(NOON))) {
      before.prices().set("basic", new Prices.Price(500, "EUR"));
      before.mediator().send(new BeginSubscription("s-1", "basic"));
    }
    trial
        .start(process -> Application.on(process.dataSource(own), process.clock()))
        .repeatableRequest(
            application ->
                application
                    .mediator()
                    .send(new RenewSubscription("s-1/1", "s-1", new Renewal.Extended(12))))
        .settle((process, application) -> process.drain(application.background()))
        .observe(() -> Demo.lines(own))
        .check();
  }
}
