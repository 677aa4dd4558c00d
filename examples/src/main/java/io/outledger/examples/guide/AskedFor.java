// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.ResumeReplay;
import io.outledger.jdbc.admin.Verb;
import io.outledger.store.PauseScope;
import java.time.Instant;
import java.util.UUID;

/** How an operator asks for a change. */
final class AskedFor {

  private AskedFor() {}

  static void pause(Outledger outledger) {
    Requests requests = outledger.requests();
    RequestStatus paused =
        requests.ask(
            new Verb.Pause("kafka", PauseScope.route("mail")).by("anna", "the vendor is down"));
    System.out.println(paused.state() + ": " + paused.result());
  }

  static void replay(Requests requests, Instant since, Instant until) {
    ReplayRange lost = ReplayRange.ALL.withType("order.placed").within(since, until);
    requests.ask(
        new Verb.Replay("handlers", "mail", lost, Pace.UNLIMITED, true)
            .by("anna", "the vendor has lost them"));
  }

  static void resume(Requests requests, UUID replay) {
    requests.ask(
        new ResumeReplay("handlers", replay).by("anna", "the vendor is ready for the rest"));
  }
}
