// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.DomainEvents.SubscriptionEnded;
import io.outledger.examples.renewal.DomainEvents.SubscriptionRenewed;
import java.time.LocalDate;

/**
 * The aggregate. It knows no outbox and no clock: its methods change it and return an event, which
 * their caller appends.
 */
final class Subscription {

  private final String id;
  private String plan;
  private LocalDate until;
  private int renewals;

  Subscription(String id, String plan, LocalDate until, int renewals) {
    this.id = id;
    this.plan = plan;
    this.until = until;
    this.renewals = renewals;
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

  int renewals() {
    return renewals;
  }

  /** Renews it from its end, or from today where it has lapsed. */
  SubscriptionRenewed renew(Renewal renewal, LocalDate today) {
    plan = renewal.planAfter(plan);
    until = (until.isAfter(today) ? until : today).plusMonths(renewal.months());
    renewals++;
    return new SubscriptionRenewed(id + "/" + renewals, id, plan, renewal, 0, "");
  }

  SubscriptionEnded end(LocalDate today) {
    until = today;
    return new SubscriptionEnded(id);
  }
}
