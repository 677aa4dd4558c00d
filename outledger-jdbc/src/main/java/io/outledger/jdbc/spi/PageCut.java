// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.PollRequest;
import java.util.List;

/**
 * Cuts the rows of a poll to the size that a page may have, and records what was left out. A row
 * that is left out never looks like a hole, and no row above it is dispatched, so the order of keys
 * holds. Not thread-safe.
 */
public final class PageCut {

  private final PollRequest request;
  private final int fromAbove;
  private final boolean openLeftOut;
  private List<LedgerMessage> messages;
  private Positions withheld = Positions.NONE;
  private boolean cut;

  /**
   * Takes what was read.
   *
   * @param request what was asked for
   * @param seen the messages, those from open positions first, both in order of position; those
   *     from above that are more than were asked for are left to the next page
   * @param openMax how many from open positions the statement returned at most
   */
  public PageCut(PollRequest request, List<LedgerMessage> seen, int openMax) {
    Require.nonNull("request", request);
    Require.nonNull("seen", seen);
    this.request = request;
    int open = fromOpen(seen, request.above());
    this.fromAbove = Math.min(seen.size() - open, request.limit());
    this.openLeftOut = open >= openMax;
    this.messages = seen.subList(0, openLeftOut ? open : open + fromAbove);
    this.cut = openLeftOut;
  }

  /** Returns the messages that are kept. */
  public List<LedgerMessage> messages() {
    return messages;
  }

  /** Keeps only the first messages. */
  public void keep(int count) {
    List<LedgerMessage> left = messages.subList(count, messages.size());
    cut |= !left.isEmpty();
    withheld = withheld(count, left);
    messages = messages.subList(0, count);
  }

  /** Returns up to where the page has read. */
  public long readTo() {
    int last = messages.size() - 1;
    return last < 0 ? request.above() : Math.max(request.above(), messages.get(last).position());
  }

  /** Returns the open positions of which the page says nothing. */
  public Positions withheld() {
    return withheld;
  }

  /** Returns whether the next poll will find messages at once. */
  public boolean more() {
    return cut || fromAbove >= request.limit();
  }

  private Positions withheld(int count, List<LedgerMessage> left) {
    if (openLeftOut) {
      // The statement's own limit hides which of the later ones are visible: none is proven a hole.
      long last = count == 0 ? 0 : messages.get(count - 1).position();
      return request.open().intersection(Positions.range(last + 1, request.above()));
    }
    return Positions.of(
        left.stream()
            .mapToLong(LedgerMessage::position)
            .filter(position -> position <= request.above())
            .toArray());
  }

  private static int fromOpen(List<LedgerMessage> seen, long above) {
    int open = 0;
    while (open < seen.size() && seen.get(open).position() <= above) {
      open++;
    }
    return open;
  }
}
