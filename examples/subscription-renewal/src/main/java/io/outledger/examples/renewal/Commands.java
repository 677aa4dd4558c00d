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

  /** Begins a subscription, of which nothing is paid yet. */
  record BeginSubscription(String subscriptionId, String plan)
      implements Command<BeginningOutcome> {}

  /** What comes of a beginning. */
  sealed interface BeginningOutcome {

    /** It has begun, and is to be renewed from this day on. */
    record Begun(LocalDate from) implements BeginningOutcome {}

    /** There is one of this id. */
    record AlreadyThere(String subscriptionId) implements BeginningOutcome {}
  }

  /**
   * Renews a subscription, in one of three ways.
   *
   * @param renewalId chosen by the caller, who sends it again where no answer came: it is the same
   *     renewal then, and not a second one
   */
  record RenewSubscription(String renewalId, String subscriptionId, Renewal renewal)
      implements Command<RenewalOutcome> {}

  /** What comes of a renewal. That something is not there is no exception. */
  sealed interface RenewalOutcome {

    /** It was requested, now or before; what has come of it is published. */
    record Requested(String renewalId) implements RenewalOutcome {}

    /** There is no subscription of this id. */
    record NotFound(String subscriptionId) implements RenewalOutcome {}

    /** Nobody sells the plan. */
    record NotSold(String plan) implements RenewalOutcome {}

    /** Another renewal of the subscription is under way. */
    record UnderWay(String renewalId) implements RenewalOutcome {}
  }
}
