// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.store.Declaration;
import io.outledger.store.LedgerMessage;

/** The sentences in which the tests of renamed subscriptions are told. */
abstract class RenamingContractTests extends DatabaseContractTests {

  static final String NEW = "renamed";
  static final String WHO = "anna";
  static final String WHY = "the bean is called so now";
  static final Declaration MAIL = Declaration.everything("mail");

  final Requests requests() {
    return process().requests();
  }

  final RequestStatus ask(Verb verb) {
    return requests().ask(verb.by(WHO, WHY));
  }

  final RequestStatus rename(String from, String to) {
    return ask(Verb.Rename.subscription(from, to));
  }

  final void assertRefused(ErrorCode code, RequestStatus status) {
    assertThat(status.state()).isEqualTo(RequestState.REFUSED);
    assertThat(status.code()).isEqualTo(code.code());
  }

  final long subscriptions(String name) {
    return count("SELECT COUNT(*) FROM outledger_subscription WHERE subscription = '" + name + "'");
  }

  /** Returns whether a process has not yet processed a message, and remembers it. */
  final boolean isNew(Outledger process, String subscription, LedgerMessage message) {
    Received received = Received.ofLedger(subscription, message.position(), message.message());
    InboxOutcome[] outcome = new InboxOutcome[1];
    inTransaction(
        transaction ->
            outcome[0] =
                process.inbox(subscription + "/mail").process(transaction, received, () -> {}));
    return outcome[0] == InboxOutcome.PROCESSED;
  }
}
