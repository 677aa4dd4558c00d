// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.DomainEvents.SubscriptionEnded;
import io.outledger.examples.renewal.DomainEvents.SubscriptionRenewed;

/**
 * The aggregate. It knows no outbox: its methods change it and return an event, which their caller
 * appends.
 */
final class Subscription {

  private final String id;
  private final String plan;
  private int months;

  Subscription(String id, String plan, int months) {
    this.id = id;
    this.plan = plan;
    this.months = months;
  }

  String id() {
    return id;
  }

  int months() {
    return months;
  }

  SubscriptionRenewed renew(int more) {
    months += more;
    return new SubscriptionRenewed(id, plan, more, 0, "");
  }

  SubscriptionEnded end() {
    months = 0;
    return new SubscriptionEnded(id);
  }
}
