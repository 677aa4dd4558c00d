// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static io.outledger.inbox.InboxOutcome.DUPLICATE;
import static io.outledger.inbox.InboxOutcome.PROCESSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.inbox.Inbox;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How one message takes effect once. */
abstract class ProcessContractTests<T> extends InboxContractTests<T> {

  @Test
  void messageIsProcessedOnce() {
    AtomicInteger effects = new AtomicInteger();
    for (int delivery = 0; delivery < 3; delivery++) {
      committed(
          transaction ->
              inbox().process(transaction, received("1"), () -> effects.incrementAndGet()));
    }
    assertThat(effects).hasValue(1);
  }

  @Test
  void outcomeTellsADuplicate() {
    assertThat(processed(inbox(), received("1"))).isEqualTo(PROCESSED);
    assertThat(processed(inbox(), received("1"))).isEqualTo(DUPLICATE);
    assertThat(processed(inbox(), received("2"))).isEqualTo(PROCESSED);
  }

  @Test
  void duplicateWithinOneTransactionIsToldToo() {
    committed(
        transaction -> {
          assertThat(inbox().process(transaction, received("1"), () -> {})).isEqualTo(PROCESSED);
          assertThat(inbox().process(transaction, received("1"), () -> {})).isEqualTo(DUPLICATE);
          return transaction;
        });
    assertThat(processed(inbox(), received("1"))).isEqualTo(DUPLICATE);
  }

  @Test
  void messageOfARolledBackTransactionIsProcessedAgain() {
    T transaction = fixture().begin();
    assertThat(inbox().process(transaction, received("1"), () -> {})).isEqualTo(PROCESSED);
    fixture().rollback(transaction);
    assertThat(processed(inbox(), received("1"))).isEqualTo(PROCESSED);
    assertThat(processed(inbox(), received("1"))).isEqualTo(DUPLICATE);
  }

  @Test
  void messageWhoseWorkFailedIsProcessedAgain() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                committed(
                    transaction ->
                        inbox()
                            .process(
                                transaction,
                                received("1"),
                                () -> {
                                  throw new IllegalStateException("out of stock");
                                })))
        .withMessage("out of stock");
    assertThat(processed(inbox(), received("1"))).isEqualTo(PROCESSED);
  }

  @Test
  void consumersRememberApart() {
    Inbox<T> inventory = inbox("inventory");
    Inbox<T> billing = inbox("billing");
    assertThat(processed(inventory, received("1"))).isEqualTo(PROCESSED);
    assertThat(processed(billing, received("1"))).isEqualTo(PROCESSED);
    assertThat(processed(billing, received("1"))).isEqualTo(DUPLICATE);
  }

  @Test
  void sourcesAreApart() {
    assertThat(processed(inbox(), received("shop", "1"))).isEqualTo(PROCESSED);
    assertThat(processed(inbox(), received("depot", "1"))).isEqualTo(PROCESSED);
    assertThat(processed(inbox(), received("shop", "1"))).isEqualTo(DUPLICATE);
  }

  @Test
  void idsThatOnlyLookAlikeAreApart() {
    for (String id : new String[] {"a", "A", "a ", "á", "a\u0301", "ａ", "1", "01", "%", "_"}) {
      assertThat(processed(inbox(), received(id))).as("first of '%s'", id).isEqualTo(PROCESSED);
    }
    assertThat(processed(inbox(), received("a"))).isEqualTo(DUPLICATE);
    assertThat(processed(inbox(), received("á"))).isEqualTo(DUPLICATE);
  }

  @Test
  void longestIdsAreRemembered() {
    String source = "s".repeat(200);
    String id = "🔑".repeat(250);
    assertThat(processed(inbox(), received(source, id))).isEqualTo(PROCESSED);
    assertThat(processed(inbox(), received(source, id))).isEqualTo(DUPLICATE);
    assertThat(processed(inbox(), received(source, id.substring(2)))).isEqualTo(PROCESSED);
  }
}
