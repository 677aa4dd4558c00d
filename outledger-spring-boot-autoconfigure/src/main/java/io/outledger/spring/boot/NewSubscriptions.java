// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.DeclarationState;
import io.outledger.jdbc.admin.SubscriptionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says so where a subscription is new, and will publish everything again that another one has
 * published: a publisher, or a subscription of handlers, that was renamed looks like that. One of
 * the other kind does not: its cursor is of no use here.
 */
final class NewSubscriptions {

  private static final Logger LOG = LoggerFactory.getLogger(NewSubscriptions.class);
  private static final String KAFKA = "kafka";
  private static final String OLD = "<old>";

  private NewSubscriptions() {}

  /**
   * The subscriptions of this process.
   *
   * @param publishers those with a publisher
   * @param handlers those with handlers
   * @param inProperties the publishers that properties describe, in use or not; others are beans
   * @param startNow those that begin after the messages that are there
   * @param leavesKafka whether the publisher {@code kafka}, which needs no property, is gone only
   *     because there are others
   */
  record Own(
      Set<String> publishers,
      Set<String> handlers,
      Set<String> inProperties,
      Set<String> startNow,
      boolean leavesKafka) {

    private boolean has(String name) {
      return publishers.contains(name) || handlers.contains(name);
    }
  }

  /**
   * The subscriptions of the ledger.
   *
   * @param all their names
   * @param haveRead those that have read something
   * @param ofHandlers those with named routes, as handlers have them
   */
  record Known(Set<String> all, Set<String> haveRead, Set<String> ofHandlers) {}

  /** Looks before relays make what is new. */
  static void look(Outledger outledger, Own own) {
    try {
      warnings(own, known(outledger)).forEach(LOG::warn);
    } catch (StoreException e) {
      LOG.debug("subscriptions cannot be read now; relays tell what is wrong", Printable.trace(e));
    }
  }

  private static Known known(Outledger outledger) {
    Known known = new Known(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    for (SubscriptionState each : outledger.admin().subscriptions()) {
      known.all().add(each.name());
      if (each.cursor().high() > 0) {
        known.haveRead().add(each.name());
      }
    }
    for (DeclarationState each : outledger.admin().declarations()) {
      if (!each.owner().isConsumer() && !each.declaration().route().isEmpty()) {
        known.ofHandlers().add(each.owner().name());
      }
    }
    return known;
  }

  /** Returns what there is to tell. */
  static List<String> warnings(Own own, Known known) {
    Set<String> publishers = new TreeSet<>();
    Set<String> handlers = new TreeSet<>();
    for (String name : known.haveRead()) {
      if (!own.has(name)) {
        (known.ofHandlers().contains(name) ? handlers : publishers).add(name);
      }
    }
    List<String> warnings = new ArrayList<>();
    if (own.leavesKafka() && publishers.contains(KAFKA)) {
      warnings.add(kafkaIsLeft(own.publishers()));
    }
    if (!publishers.isEmpty()) {
      for (String name : fresh(own.publishers(), own, known)) {
        boolean isProperty = own.inProperties().contains(name);
        String call =
            isProperty
                ? "call it outledger.publishers." + old(publishers)
                : "as by @Bean(\"" + old(publishers) + "\")";
        warnings.add(renamed(name, publishers, "published", call));
      }
    }
    if (!handlers.isEmpty()) {
      for (String name : fresh(own.handlers(), own, known)) {
        String call = "as by @OutboxHandler(subscription = \"" + old(handlers) + "\")";
        warnings.add(renamed(name, handlers, "handled", call));
      }
    }
    return warnings;
  }

  private static Set<String> fresh(Set<String> names, Own own, Known known) {
    Set<String> fresh = new TreeSet<>(names);
    fresh.removeAll(own.startNow());
    fresh.removeAll(known.all());
    return fresh;
  }

  private static String old(Set<String> others) {
    return others.size() == 1 ? others.iterator().next() : OLD;
  }

  private static String kafkaIsLeft(Set<String> publishers) {
    return ("the publisher kafka, which needs no property, is gone since there are others, %s: its"
            + " subscription kafka has no relay in this process, and messages are kept for it. To"
            + " keep the publisher, set outledger.publishers.kafka.kafka.enabled=true; if you do"
            + " not want it, set it to false, and delete the subscription")
        .formatted(new TreeSet<>(publishers));
  }

  private static String renamed(String name, Set<String> others, String done, String call) {
    String old = old(others);
    return ("%s: subscription %s is new and begins with the earliest message of the ledger, beside"
            + " %s, which this process does not have. If it was renamed, everything that the old"
            + " subscription has %s is %s again: stop this process, and give it its old name, %s,"
            + " or delete the new subscription and rename the old one:"
            + " outledger.requests().ask(Verb.Rename.subscription(\"%s\", \"%s\").by(who, why))."
            + " If it is new on purpose and wants new messages alone, set"
            + " outledger.subscriptions.%s.start-now=true before its first start")
        .formatted(
            ErrorCode.SUBSCRIPTION_LEFT.code(), name, others, done, done, call, old, name, name);
  }
}
