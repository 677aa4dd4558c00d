// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A poll for what a page has missed, and what it finds merged with the page, in the order of
 * positions.
 *
 * <p>The rule for all that is dispatched: no message goes before a lower one that is visible and
 * was not handed on, whichever poll has brought the two. They may be of one key, and nobody knows
 * where the lower one was not read yet, because a page withholds it. A store keeps this rule within
 * a page, since what it withholds is above all that it shows. Here it is kept for both together.
 *
 * @param asked what both are asked for
 * @param page the page, which may have been read some time ago
 */
record Look(PollRequest asked, Page page) {

  /** Makes one for a page, and for positions that it was not asked for. */
  static Look of(PollRequest request, Page page, Positions missed) {
    return new Look(request(request, request.above(), request.open().union(missed)), page);
  }

  /** Makes one for further positions. */
  Look with(Positions others) {
    return of(asked, page, others);
  }

  /**
   * Returns what to ask for: also the positions at which the page shows nothing. By now something
   * may be there, which comes before what was missed.
   */
  PollRequest request() {
    return request(asked, Long.MAX_VALUE, asked.open().minus(open(page.messages())));
  }

  /** Returns the page together with what was found. */
  Page merged(Page found) {
    List<LedgerMessage> all = new ArrayList<>(page.messages());
    all.addAll(found.messages());
    all.sort(Comparator.comparingLong(LedgerMessage::position));
    return found.withheld().isEmpty()
        ? part(found, all, page.readTo(), Positions.NONE, page.more())
        : below(found.withheld().first(), all, found);
  }

  /** Withholds all above the first position that was withheld. */
  private Page below(long end, List<LedgerMessage> all, Page found) {
    List<LedgerMessage> first = all.stream().takeWhile(one -> one.position() < end).toList();
    Positions withheld = found.withheld().union(open(all.subList(first.size(), all.size())));
    return part(found, first, asked.above(), withheld, true);
  }

  /** Returns the positions of the messages that are not from above. */
  private Positions open(List<LedgerMessage> messages) {
    return Positions.of(
        messages.stream()
            .mapToLong(LedgerMessage::position)
            .takeWhile(position -> position <= asked.above())
            .toArray());
  }

  private static PollRequest request(PollRequest like, long above, Positions open) {
    return new PollRequest(above, like.limit(), like.bytesMax(), open, like.known());
  }

  /** Returns what a page shows up to a position, which is above what it was asked to read above. */
  static Page upTo(Page page, long position) {
    if (page.readTo() <= position) {
      return page;
    }
    List<LedgerMessage> first =
        page.messages().stream().takeWhile(one -> one.position() <= position).toList();
    Positions withheld = page.withheld().intersection(Positions.range(1, position));
    return part(page, first, position, withheld, !withheld.isEmpty());
  }

  /** Returns a page with other messages, read in the same snapshot. */
  static Page part(
      Page of, List<LedgerMessage> messages, long readTo, Positions withheld, boolean more) {
    return new Page(
        messages,
        readTo,
        withheld,
        more,
        of.snapshot(),
        of.newest(),
        of.declared(),
        of.paused(),
        of.server());
  }
}
