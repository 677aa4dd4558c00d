// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.DomainEvents.RenewalRequested;
import io.outledger.examples.renewal.DomainEvents.SubscriptionRenewed;
import io.outledger.examples.renewal.DomainEvents.Terms;
import io.outledger.examples.renewal.FulfilmentMessages.Payment;
import java.time.LocalDate;

/**
 * The aggregate. It knows no outbox and no clock: its methods change it and return an event, which
 * their caller appends.
 */
final class Subscription {

  private final String id;
  private String plan;
  private LocalDate until;
  private int billingDay;

  /**
   * Makes it.
   *
   * @param billingDay the day of the month on which it ends, where the month has one
   */
  Subscription(String id, String plan, LocalDate until, int billingDay) {
    this.id = id;
    this.plan = plan;
    this.until = until;
    this.billingDay = billingDay;
  }

  String id() {
    return id;
  }

  String plan() {
    return plan;
  }

  LocalDate until() {
    return until;
  }

  int billingDay() {
    return billingDay;
  }

  /** Changes nothing yet: what is paid for is not touched by a renewal that comes to nothing. */
  RenewalRequested request(String renewalId, Renewal renewal) {
    return new RenewalRequested(renewalId, id, renewal.planAfter(plan), renewal, null);
  }

  /** Goes on from its end, or from today where it has lapsed. */
  SubscriptionRenewed renew(Terms terms, Payment payment, LocalDate today) {
    if (until.isBefore(today)) {
      until = today;
      billingDay = today.getDayOfMonth();
    }
    LocalDate end = until.plusMonths(terms.months());
    until = end.withDayOfMonth(Math.min(billingDay, end.lengthOfMonth()));
    String before = plan;
    plan = terms.plan();
    return new SubscriptionRenewed(id, before, terms, payment);
  }
}
