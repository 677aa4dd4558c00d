// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

/**
 * Where a move or a skip has placed a subscription. After a move the messages between {@code to}
 * and {@code from} are published again; after a skip what was not settled up to {@code to} is not
 * published.
 *
 * <p>Handlers with an inbox remember what they have processed, each for itself, so the last two
 * count a message once for each handler that knows it, and only messages that the ledger has: what
 * they remember of a ledger that was emptied, they go on remembering.
 *
 * @param from the highest position that it had seen before; with partitions, the lowest of these,
 *     without the partitions that stay
 * @param to the highest position that it takes for settled now, apart from what may still be
 *     committed; likewise the lowest
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
