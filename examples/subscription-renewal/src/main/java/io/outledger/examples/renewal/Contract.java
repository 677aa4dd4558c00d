// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.event.AppendContext;
import io.outledger.event.EventTypes;
import io.outledger.examples.renewal.DomainEvents.SubscriptionEnded;
import io.outledger.examples.renewal.DomainEvents.SubscriptionRenewed;
import io.outledger.examples.renewal.FulfilmentMessages.FulfilRenewal;
import io.outledger.examples.renewal.FulfilmentMessages.Payment;
import io.outledger.examples.renewal.Messages.PriceListPublished;
import io.outledger.examples.renewal.Messages.RenewalConfirmed;
import io.outledger.examples.renewal.Messages.RenewalConfirmedV1;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The event types, and the messages that each is mapped to. */
final class Contract {

  /** The plan that costs nothing. */
  static final String TRIAL = "trial";

  private Contract() {}

  static void register(EventTypes.Builder events) {
    domain(events);
    published(events);
    FulfilmentContract.register(events);
  }

  /** Domain events have no name and no topic: what they are mapped to has. */
  private static void domain(EventTypes.Builder events) {
    events
        .register(
            SubscriptionRenewed.class,
            type ->
                type.guard((renewal, context) -> refusal(renewal))
                    .enrich(Contract::withPrice)
                    .map((renewal, context) -> leaving(renewal)))
        // Nobody outside needs to know: it is mapped to nothing.
        .register(SubscriptionEnded.class, type -> type.map((ended, context) -> List.of()));
  }

  private static void published(EventTypes.Builder events) {
    events
        // Versions side by side: messages of the old one are in the ledger and are still read.
        .register(
            RenewalConfirmedV1.class,
            type ->
                type.name("renewal.confirmed")
                    .version(1)
                    .topic("subscriptions")
                    .key(RenewalConfirmedV1::subscriptionId))
        .register(
            RenewalConfirmed.class,
            type ->
                type.name("renewal.confirmed")
                    .version(2)
                    .topic("subscriptions")
                    .key(RenewalConfirmed::subscriptionId))
        .register(
            PriceListPublished.class,
            type -> type.name("price-list.published").topic("prices").keyless());
  }

  /** What a guard refuses is not appended, and takes the transaction with it. */
  private static Optional<String> refusal(SubscriptionRenewed renewal) {
    return renewal.renewal().months() < 1 ? Optional.of("a renewal of no month") : Optional.empty();
  }

  /** Adds the price, so that readers of the event need not call back for it. */
  private static SubscriptionRenewed withPrice(SubscriptionRenewed renewal, AppendContext context)
      throws SQLException {
    Prices.Price price =
        Prices.of(context.resource(Connection.class), renewal.plan())
            .orElseThrow(() -> new IllegalStateException("no price of " + renewal.plan()));
    return new SubscriptionRenewed(
        renewal.renewalId(),
        renewal.subscriptionId(),
        renewal.plan(),
        renewal.renewal(),
        renewal.renewal().months() * price.cents(),
        price.currency());
  }

  /** One event inside, two messages: news for others, and a command; a trial is not paid. */
  private static List<Object> leaving(SubscriptionRenewed renewed) {
    String id = renewed.subscriptionId();
    Renewal renewal = renewed.renewal();
    RenewalConfirmed confirmed =
        new RenewalConfirmed(
            id, renewal.way(), renewal.months(), renewed.cents(), renewed.currency());
    if (renewed.plan().equals(TRIAL)) {
      return List.of(confirmed);
    }
    Payment payment = new Payment(renewal.payer(id), renewed.cents(), renewed.currency());
    return List.of(confirmed, new FulfilRenewal(renewed.renewalId(), id, renewed.plan(), payment));
  }
}
