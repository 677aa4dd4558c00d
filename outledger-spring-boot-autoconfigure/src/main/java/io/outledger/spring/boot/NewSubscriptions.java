// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.SubscriptionState;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says so where a subscription is new, and will publish everything again that another one has
 * published: a bean that was renamed looks like that.
 */
final class NewSubscriptions {

  private static final Logger LOG = LoggerFactory.getLogger(NewSubscriptions.class);

  private NewSubscriptions() {}

  /**
   * Looks before relays make what is new.
   *
   * @param own the subscriptions of this process
   * @param startNow those of them that begin after the messages that are there
   */
  static void look(Outledger outledger, Set<String> own, Set<String> startNow) {
    List<SubscriptionState> all;
    try {
      all = outledger.admin().subscriptions();
    } catch (StoreException e) {
      LOG.debug("subscriptions cannot be read now; relays tell what is wrong", e);
      return;
    }
    Set<String> others = new TreeSet<>();
    Set<String> fresh = new TreeSet<>(own);
    fresh.removeAll(startNow);
    for (SubscriptionState each : all) {
      fresh.remove(each.name());
      if (!own.contains(each.name()) && each.cursor().high() > 0) {
        others.add(each.name());
      }
    }
    if (!others.isEmpty()) {
      fresh.forEach(name -> tell(name, others));
    }
  }

  private static void tell(String name, Set<String> others) {
    String old = others.iterator().next();
    LOG.warn(
        "{}: subscription {} is new and begins with the earliest message of the ledger, beside {},"
            + " which this process does not have. If a bean was renamed, everything that the old"
            + " subscription has published is published again: stop this process, and give the bean"
            + " its old name, as by @Bean(\"{}\"), or delete the new subscription and rename the"
            + " old one: outledger.requests().ask(Verb.Rename.subscription(\"{}\", \"{}\").by(who,"
            + " why)). If it is new on purpose and wants new messages alone, set"
            + " outledger.subscriptions.{}.start-now=true before its first start",
        ErrorCode.SUBSCRIPTION_LEFT.code(),
        name,
        others,
        old,
        old,
        name,
        name);
  }
}
