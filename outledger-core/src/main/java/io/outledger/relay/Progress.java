// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.HoleProof;
import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.Tenure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How far an owner is: its frontier, what it has read and not settled, and its holes with their
 * proof and age.
 */
final class Progress {

  private final HoleProof proof = new HoleProof();
  private final long holeAgeNanos;
  private final List<ReadPage> pages = new ArrayList<>();
  private Frontier frontier;
  private Positions unsettled = Positions.NONE;
  private Positions withheld = Positions.NONE;
  private Positions aged;
  private Positions young = Positions.NONE;
  private long youngSince;
  private boolean hasReadOpen;

  Progress(Tenure tenure, long holeAgeNanos, long now) {
    this.frontier = tenure.frontier();
    this.aged = tenure.aged();
    this.holeAgeNanos = holeAgeNanos;
    this.youngSince = now;
    this.hasReadOpen = frontier.open().isEmpty();
  }

  Frontier frontier() {
    return frontier;
  }

  Positions aged() {
    return aged;
  }

  HoleProof proof() {
    return proof;
  }

  /**
   * Returns whether every message that was open when the lease was taken has been read. Until then
   * no parked message may be tried: an earlier one of its key may be among the open ones.
   */
  boolean hasReadOpen() {
    return hasReadOpen;
  }

  /** Returns how many messages have been read and are not settled. */
  long unsettledCount() {
    return unsettled.size();
  }

  /**
   * Returns how many messages may be read now. While messages are in flight small pages are not
   * worth a poll, so there is no room until a good part of a page fits.
   */
  int room(RelayOptions options) {
    long room = options.windowMessages - unsettledCount();
    long bytes = pages.stream().mapToLong(ReadPage::bytes).sum();
    boolean worthwhile =
        unsettled.isEmpty()
            || (room >= options.pageMessagesMax / 4 && bytes <= options.windowBytes);
    return worthwhile ? (int) Math.min(room, options.pageMessagesMax) : 0;
  }

  /**
   * Returns the request for a page, and for all open positions that are not in flight beside it.
   */
  PollRequest request(boolean ahead, int limit, long bytesMax) {
    long above = ahead ? frontier.high() : Long.MAX_VALUE;
    return new PollRequest(above, limit, bytesMax, frontier.open().minus(unsettled));
  }

  /** Takes a page, and returns the holes that it proves dead. They are settled. */
  Positions took(PollRequest request, Page page) {
    if (request.above() != Long.MAX_VALUE) {
      frontier = frontier.readTo(page.readTo());
    }
    PositionsBuilder read = new PositionsBuilder();
    long bytes = 0;
    for (LedgerMessage message : page.messages()) {
      read.add(message.position(), message.position());
      bytes += message.message().payload().length;
    }
    if (!page.messages().isEmpty()) {
      ReadPage readPage = new ReadPage(read.build(), bytes);
      pages.add(readPage);
      unsettled = unsettled.union(readPage.positions());
    }
    withheld = page.withheld();
    hasReadOpen |= withheld.isEmpty();
    Positions dead = proof.polled(holes(), page.horizon());
    frontier = frontier.settle(dead);
    return dead;
  }

  /** Takes what has been settled since the last call. */
  void settled(Positions positions) {
    frontier = frontier.settle(positions);
    unsettled = unsettled.minus(positions);
    pages.removeIf(page -> page.positions().intersection(unsettled).isEmpty());
  }

  /** Returns the open positions that are to be kept beside the cursor row from now on. */
  Positions agedAt(long now) {
    Positions still = aged.intersection(frontier.open());
    if (now - youngSince < holeAgeNanos) {
      return still;
    }
    Positions holes = holes();
    Positions old = young.intersection(holes);
    young = holes.minus(old);
    youngSince = now;
    return still.union(old);
  }

  /** Takes a successful save. */
  void saved(Positions agedNow, long transactionId) {
    aged = agedNow;
    proof.saved(transactionId);
  }

  /** Takes the transactions that hold a write lock on the ledger. */
  void writers(Set<Long> writers) {
    proof.writersNow(writers);
  }

  private Positions holes() {
    return frontier.open().minus(unsettled).minus(withheld);
  }

  /** A page whose messages are not all settled yet, and the payload bytes it keeps in memory. */
  private record ReadPage(Positions positions, long bytes) {}
}
