// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

/** How an extension lets relays do their work. */
interface Settling {

  /** Publishes and handles everything that is due now. */
  void settle();

  /**
   * Lets time pass, so that what waits to be tried again becomes due, and settles.
   *
   * @return whether more time can help: a parked message is retried, or messages are pending
   *     because their destination cannot be reached
   */
  boolean letTimePass();

  /** Returns how often time passes at most, while messages still wait to be tried again. */
  int roundsMax();

  /**
   * Describes what was published, what is pending and what is parked, for the text of a failure.
   */
  String describe();
}
