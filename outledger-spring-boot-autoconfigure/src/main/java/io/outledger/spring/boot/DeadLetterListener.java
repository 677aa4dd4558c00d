// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

/**
 * Hears of dead letters, for an alert. Every bean of this type is called, on a relay's thread, so
 * it must be quick; what it throws is logged. A crash at that moment can leave a dead letter
 * without a call, or with two: the table outledger_parked is the truth.
 */
@FunctionalInterface
public interface DeadLetterListener {

  /** Takes a dead letter. */
  void on(DeadLetter letter);
}
