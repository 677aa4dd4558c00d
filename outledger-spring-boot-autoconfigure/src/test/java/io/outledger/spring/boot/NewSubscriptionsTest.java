// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.boot.NewSubscriptions.Known;
import io.outledger.spring.boot.NewSubscriptions.Own;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a subscription that is new may have been called before. */
class NewSubscriptionsTest {

  private static final Set<String> NONE = Set.of();
  private static final Set<String> ORDERS = Set.of("orders");
  private static final Set<String> HANDLERS = Set.of("handlers");

  private static List<String> warnings(Own own, Set<String> known) {
    return NewSubscriptions.warnings(own, new Known(known, known, HANDLERS));
  }

  @Test
  void aNewPublisherIsNotTakenForHandlers() {
    Own own = new Own(ORDERS, NONE, NONE, NONE, false);
    assertThat(warnings(own, HANDLERS)).isEmpty();
    assertThat(warnings(own, Set.of("handlers", "mails")))
        .singleElement()
        .asString()
        .startsWith("OUT-036: subscription orders is new")
        .contains(
            "beside [mails], which",
            "has published is published again",
            "its old name, as by @Bean(\"mails\"), or",
            "Verb.Rename.subscription(\"mails\", \"orders\")",
            "outledger.subscriptions.orders.start-now=true");
  }

  @Test
  void newHandlersAreNotTakenForAPublisher() {
    Own own = new Own(NONE, Set.of("work"), NONE, NONE, false);
    assertThat(warnings(own, Set.of("mails"))).isEmpty();
    assertThat(warnings(own, Set.of("handlers", "mails")))
        .singleElement()
        .asString()
        .contains(
            "beside [handlers], which",
            "has handled is handled again",
            "its old name, as by @OutboxHandler(subscription = \"handlers\"), or",
            "Verb.Rename.subscription(\"handlers\", \"work\")");
  }

  @Test
  void noneOfSeveralIsAdvised() {
    assertThat(
            warnings(
                new Own(ORDERS, NONE, NONE, NONE, false), Set.of("kafka", "mails", "handlers")))
        .singleElement()
        .asString()
        .contains(
            "beside [kafka, mails], which",
            "as by @Bean(\"<old>\")",
            "Verb.Rename.subscription(\"<old>\", \"orders\")");
  }

  @Test
  void whatPropertiesMadeHasItsOldNameThere() {
    assertThat(warnings(new Own(ORDERS, NONE, ORDERS, NONE, false), Set.of("mails")))
        .singleElement()
        .asString()
        .contains("its old name, call it outledger.publishers.mails, or")
        .doesNotContain("@Bean");
  }

  @Test
  void thePublisherThatNeededNoPropertyIsMissedAtEachStart() {
    Own own = new Own(ORDERS, HANDLERS, ORDERS, NONE, true);
    assertThat(warnings(own, Set.of("handlers", "kafka", "orders")))
        .singleElement()
        .asString()
        .contains(
            "the publisher kafka, which", "set outledger.publishers.kafka.kafka.enabled=true");
    assertThat(warnings(own, Set.of("handlers", "kafka"))).hasSize(2);
    assertThat(warnings(own, Set.of("handlers", "orders"))).isEmpty();
    Own decided = new Own(ORDERS, HANDLERS, Set.of("kafka", "orders"), NONE, false);
    assertThat(warnings(decided, Set.of("handlers", "kafka", "orders"))).isEmpty();
  }

  @Test
  void whatIsThereOrStartsNowIsNotNew() {
    assertThat(warnings(new Own(ORDERS, NONE, NONE, ORDERS, false), Set.of("mails"))).isEmpty();
    assertThat(warnings(new Own(ORDERS, NONE, NONE, NONE, false), Set.of("mails", "orders")))
        .isEmpty();
  }
}
