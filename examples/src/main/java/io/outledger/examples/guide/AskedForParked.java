// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.inbox.Received;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import java.time.Instant;
import java.util.Set;

/** How an operator asks for something to be done to what failed. */
final class AskedForParked {

  private AskedForParked() {}

  static void resume(Requests requests) {
    requests.ask(
        new Verb.Resume("kafka", PauseScope.route("mail")).by("anna", "the vendor is back"));
  }

  static void retryAndDiscard(Requests requests, ParkedPlace place, Instant seenAt, long shown) {
    Reader kafka = Reader.subscription("kafka");
    ParkedSelection timeouts = ParkedSelection.of(ParkedState.DEAD).withErrorText("timeout");
    Which these = new Which.Selected(timeouts, seenAt, shown); // refused if more fit by then
    requests.ask(new Verb.Retry(kafka, these, new Pace(50, 10)).by("anna", "the proxy is fixed"));
    Which one = new Which.Place(place);
    requests.ask(new Verb.Discard(kafka, one, Pace.UNLIMITED).by("anna", "a test order"));
  }

  static void forget(Requests requests, Received received) {
    requests.ask(
        new Verb.Forget("billing", Set.of(received.inboxId())).by("anna", "it was billed wrongly"));
  }
}
