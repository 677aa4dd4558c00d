// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.event.AppendContext;
import io.outledger.event.EventTypes;
import io.outledger.examples.renewal.DomainEvents.RenewalDeclined;
import io.outledger.examples.renewal.DomainEvents.RenewalRequested;
import io.outledger.examples.renewal.DomainEvents.SubscriptionRenewed;
import io.outledger.examples.renewal.DomainEvents.Terms;
import io.outledger.examples.renewal.FulfilmentMessages.FulfilRenewal;
import io.outledger.examples.renewal.FulfilmentMessages.Payment;
import io.outledger.examples.renewal.Messages.PlanChanged;
import io.outledger.examples.renewal.Messages.PriceChanged;
import io.outledger.examples.renewal.Messages.RenewalConfirmed;
import io.outledger.examples.renewal.Prices.Price;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The event types, and the messages that each is mapped to. */
final class Contract {

  private static final int MONTHS_MAX = 60;

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
            RenewalRequested.class,
            type ->
                type.guard((request, context) -> refusal(request.renewal().months()))
                    .enrich(Contract::withPrice)
                    .map((request, context) -> List.of(command(request))))
        .register(SubscriptionRenewed.class, type -> type.map((renewed, context) -> news(renewed)))
        // What others need to know, the saga has said: it is mapped to nothing.
        .register(RenewalDeclined.class, type -> type.map((declined, context) -> List.of()));
  }

  private static void published(EventTypes.Builder events) {
    events
        .register(
            RenewalConfirmed.class,
            type ->
                type.name("renewal.confirmed")
                    .version(2)
                    .topic("subscriptions")
                    .key(RenewalConfirmed::subscriptionId)
                    // Messages of the first version are in the ledger, and are still read.
                    .upcast(1, 2, ObjectNode.class, json -> json.put("currency", "EUR")))
        .register(
            PlanChanged.class,
            type ->
                type.name("plan.changed").topic("subscriptions").key(PlanChanged::subscriptionId))
        .register(
            PriceChanged.class,
            type ->
                type.name("price.changed")
                    .formerly("price-list.published")
                    .topic("prices")
                    .key(PriceChanged::plan));
  }

  /** What a guard refuses is not appended, and takes the transaction with it. */
  private static Optional<String> refusal(int months) {
    return months < 1 || months > MONTHS_MAX
        ? Optional.of("a renewal of " + months + " months; 1 to " + MONTHS_MAX + " can be paid")
        : Optional.empty();
  }

  /** Adds the price of the moment, which nobody has to look up again. */
  private static RenewalRequested withPrice(RenewalRequested request, AppendContext context)
      throws SQLException {
    Price price =
        Prices.of(context.resource(Connection.class), request.plan())
            .orElseThrow(() -> new IllegalStateException("no price of " + request.plan()));
    return new RenewalRequested(
        request.renewalId(), request.subscriptionId(), request.plan(), request.renewal(), price);
  }

  private static FulfilRenewal command(RenewalRequested request) {
    Price price = Objects.requireNonNull(request.price(), "the enrichment has added it");
    Renewal renewal = request.renewal();
    Payment payment =
        new Payment(
            renewal.payer(request.subscriptionId()),
            Math.multiplyExact(renewal.months(), price.cents()),
            price.currency());
    return new FulfilRenewal(
        request.renewalId(), request.subscriptionId(), request.plan(), payment);
  }

  /** One event inside, one message, or two where the plan is another one. */
  private static List<Object> news(SubscriptionRenewed renewed) {
    String id = renewed.subscriptionId();
    Terms terms = renewed.terms();
    Payment payment = renewed.payment();
    RenewalConfirmed confirmed =
        new RenewalConfirmed(id, terms.way(), terms.months(), payment.cents(), payment.currency());
    return terms.plan().equals(renewed.planBefore())
        ? List.of(confirmed)
        : List.of(confirmed, new PlanChanged(id, renewed.planBefore(), terms.plan()));
  }
}
