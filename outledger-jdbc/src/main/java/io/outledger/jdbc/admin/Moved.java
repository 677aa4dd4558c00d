// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

/**
 * The result of moving a subscription. If {@code to} is less than {@code from}, it is a move back:
 * the messages between are published again. If it is greater, the messages between are skipped.
 *
 * <p>Handlers with an inbox remember what they have processed, each for itself, so the last two
 * count a message once for each handler that knows it, and only messages that the ledger has: what
 * they remember of a ledger that was emptied, they go on remembering.
 *
 * @param from the highest position that it had seen before
 * @param to the highest position that it takes for settled now
 * @param known how many times a transactional handler will pass over a message that is read again,
 *     since it has processed it
 * @param forgotten how many times one will process a message again, as was asked for
 */
public record Moved(long from, long to, long known, long forgotten) {

  /** Creates one where no transactional handler knows anything of what is between. */
  public Moved(long from, long to) {
    this(from, to, 0, 0);
  }

  /** Returns whether messages that were published may be published again. */
  public boolean isBack() {
    return to < from;
  }
}
