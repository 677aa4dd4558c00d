// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

/** How an extension lets relays do their work. */
interface Settling {

  /** Publishes and handles everything that is due now. */
  void settle();

  /**
   * Lets time pass, so that messages that wait to be tried again become due, and settles.
   *
   * @return whether anything can be due later than it
   */
  boolean letTimePass();

  /** Describes what was published and what is parked, for the text of a failure. */
  String describe();
}
