// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

/**
 * Something that is wrong.
 *
 * @param verdict what kind of wrong
 * @param subject the message, key, owner or resource it is about
 * @param detail what was seen, for people
 */
public record Finding(Verdict verdict, String subject, String detail) {

  /** Returns whether something arrived too often, and nothing was lost, invented or reordered. */
  public boolean isRepetition() {
    return verdict == Verdict.DUPLICATE;
  }

  @Override
  public String toString() {
    return verdict + " " + subject + ": " + detail;
  }
}
