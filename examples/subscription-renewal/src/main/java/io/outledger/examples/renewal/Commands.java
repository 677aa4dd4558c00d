// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import java.time.LocalDate;

/** What the application can be asked to do. Commands stay inside it: nobody stores them. */
final class Commands {

  private Commands() {}

  /**
   * A command.
   *
   * @param <R> what comes of it
   */
  interface Command<R> {}

  /** Begins a subscription; returns until when it is paid, which is today. */
  record BeginSubscription(String subscriptionId, String plan) implements Command<LocalDate> {}

  /** Renews a subscription, in one of three ways. */
  record RenewSubscription(String subscriptionId, Renewal renewal)
      implements Command<RenewalOutcome> {}

  /** What comes of a renewal. That there is no such subscription is no exception. */
  sealed interface RenewalOutcome {

    /** It is renewed. */
    record Renewed(LocalDate until) implements RenewalOutcome {}

    /** There is none of this id. */
    record NotFound(String subscriptionId) implements RenewalOutcome {}
  }
}
