// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A fixture for each test of an inbox, and the sentences in which the tests are told. */
abstract class InboxContractTests<T> {

  private InboxFixture<T> fixture;

  abstract InboxFixture<T> openFixture();

  @BeforeEach
  final void open() {
    fixture = openFixture();
  }

  @AfterEach
  final void close() throws Exception {
    fixture.close();
  }

  final InboxFixture<T> fixture() {
    return fixture;
  }

  final Inbox<T> inbox() {
    return inbox("inventory");
  }

  final Inbox<T> inbox(String consumer) {
    return new Inbox<>(consumer, fixture.store());
  }

  /** Processes a message in a transaction that commits. */
  final InboxOutcome processed(Inbox<T> inbox, Received message) {
    return committed(transaction -> inbox.process(transaction, message, () -> {}));
  }

  final List<InboxOutcome> processedAll(Inbox<T> inbox, List<Received> messages) {
    return committed(transaction -> inbox.processAll(transaction, messages, fresh -> {}));
  }

  final <R> R committed(Function<T, R> work) {
    T transaction = fixture.begin();
    boolean done = false;
    try {
      R result = work.apply(transaction);
      done = true;
      return result;
    } finally {
      if (done) {
        fixture.commit(transaction);
      } else {
        fixture.rollback(transaction);
      }
    }
  }

  static Received received(String id) {
    return received("shop", id);
  }

  static Received received(String source, String id) {
    Message message = Message.to("orders", "order.placed").build();
    return new Received(
        source,
        id,
        message.topic(),
        null,
        message.type(),
        message.version(),
        message.payload(),
        Map.of(),
        message.time(),
        "",
        "");
  }
}
