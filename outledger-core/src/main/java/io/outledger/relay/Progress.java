// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.HoleProof;
import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.frontier.SleepingHoles;
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
 *
 * <p>Holes that are asleep are kept apart, so that what is done for every page takes no time in
 * proportion to them. Those are the old ones, and young ones where they are many.
 */
final class Progress {

  /** So many times as many young holes may sleep as may be awake. */
  private static final int YOUNG_ASLEEP = 15;

  private final HoleProof proof = new HoleProof();
  private final SleepingHoles sleeping = new SleepingHoles();
  private final long holeAgeNanos;
  private final int awakeRangesMax;
  private final List<ReadPage> pages = new ArrayList<>();

  /** The frontier without what is asleep. */
  private Frontier near;

  private Positions unsettled = Positions.NONE;
  private Positions withheld = Positions.NONE;
  private Positions young = Positions.NONE;
  private long youngSince;
  private boolean hasReadOpen;

  /** What is kept beside the cursor row, as it was last saved. */
  private Positions aged;

  /** The part of it that is not asleep, and of that the part whose fillers are not asked for. */
  private Positions agedNear;

  private Positions agedApart;
  private boolean agedChanged;

  /** What is asleep and not aged: the cursor row has it. */
  private Positions youngAsleep = Positions.NONE;

  Progress(Tenure tenure, RelayOptions options, long now) {
    this.near = tenure.frontier();
    this.aged = tenure.aged();
    this.agedNear = aged;
    this.agedApart = aged;
    this.holeAgeNanos = options.holeAge.toNanos();
    this.awakeRangesMax = options.awakeRangesMax;
    this.youngSince = now;
    this.hasReadOpen = near.open().isEmpty();
  }

  long high() {
    return near.high();
  }

  Frontier frontier() {
    return new Frontier(near.high(), near.open().union(sleeping.asleep()));
  }

  /** Returns the frontier without a part of the aged positions. */
  Frontier toSave() {
    return new Frontier(near.high(), near.open().union(youngAsleep));
  }

  Positions asleep() {
    return sleeping.asleep();
  }

  Positions aged() {
    return aged;
  }

  int openRanges() {
    return near.open().ranges() + sleeping.asleep().ranges();
  }

  /** Returns whether a save would bring a proof forward. */
  boolean wantsWitness() {
    return proof.wantsWitness();
  }

  /** Returns whether it helps to know who holds a write lock on the ledger. */
  boolean wantsWriters() {
    return proof.wantsWriters() || sleeping.wantsWriters();
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
   * Returns the request for a page, and for the open positions beside it that are neither in flight
   * nor asleep.
   */
  PollRequest request(boolean ahead, int limit, long bytesMax) {
    long above = ahead ? near.high() : Long.MAX_VALUE;
    Positions open = near.open().minus(unsettled).union(sleeping.toLookFor());
    return new PollRequest(above, limit, bytesMax, open);
  }

  /** Returns whether a page may lack what was asleep, so that it must be asked for again. */
  boolean misses(Page page) {
    return sleeping.misses(page.snapshot());
  }

  /** Takes a page that misses nothing, and returns the holes that it proves dead. */
  Positions took(PollRequest request, Page page) {
    if (request.above() != Long.MAX_VALUE) {
      near = near.readTo(page.readTo());
    }
    Positions read = read(page);
    withheld = page.withheld();
    hasReadOpen |= withheld.isEmpty();
    SleepingHoles.Looked looked = sleeping.looked(read.union(withheld), holes(), page.snapshot());
    wake(looked.woken());
    near = near.settle(looked.dead().union(looked.fallenAsleep()));
    youngAsleep = youngAsleep.minus(looked.dead()).union(looked.fallenAsleep().minus(agedNear));
    agedNear = agedNear.minus(looked.fallenAsleep());
    agedChanged |= !looked.dead().isEmpty();
    Positions proven = proof.polled(holes(), page.snapshot().horizon());
    near = near.settle(proven);
    return looked.dead().union(proven);
  }

  private Positions read(Page page) {
    PositionsBuilder read = new PositionsBuilder();
    long bytes = 0;
    for (LedgerMessage message : page.messages()) {
      read.add(message.position(), message.position());
      bytes += message.message().payload().length;
    }
    Positions positions = read.build();
    if (!positions.isEmpty()) {
      pages.add(new ReadPage(positions, bytes));
      unsettled = unsettled.union(positions);
    }
    return positions;
  }

  private void wake(Positions woken) {
    Positions old = woken.minus(youngAsleep);
    near = new Frontier(near.high(), near.open().union(woken));
    agedNear = agedNear.union(old);
    agedApart = agedApart.union(old.intersection(withheld));
    youngAsleep = youngAsleep.minus(woken);
  }

  /** Takes what has been settled since the last call. */
  void settled(Positions positions) {
    near = near.settle(positions);
    unsettled = unsettled.minus(positions);
    pages.removeIf(page -> page.positions().intersection(unsettled).isEmpty());
  }

  /** Returns the open positions that are to be kept beside the cursor row from now on. */
  Positions agedAt(long now) {
    Positions still = agedNear.intersection(near.open());
    agedChanged |= !still.equals(agedNear);
    agedNear = still;
    if (now - youngSince >= holeAgeNanos) {
      youngSince = now;
      growOld();
    } else {
      layDownMany();
    }
    if (youngAsleep.ranges() > YOUNG_ASLEEP * awakeRangesMax) {
      youngAsleep = Positions.NONE; // each save would write them all again
      agedChanged = true;
    }
    return agedChanged ? agedNear.union(sleeping.asleep().minus(youngAsleep)) : aged;
  }

  private void growOld() {
    Positions holes = holes();
    Positions fresh = holes.minus(agedNear).union(youngAsleep);
    Positions old = young.intersection(fresh);
    Positions oldAwake = old.minus(youngAsleep);
    young = fresh.minus(old);
    youngAsleep = youngAsleep.minus(old);
    agedNear = agedNear.union(oldAwake);
    agedChanged |= !old.isEmpty();
    sleeping.layDown(oldAwake.union(agedApart.intersection(holes)));
    agedApart = Positions.NONE;
  }

  private void layDownMany() {
    Positions holes = holes();
    if (holes.ranges() > awakeRangesMax && !sleeping.isWaiting()) {
      sleeping.layDown(holes);
    }
  }

  /** Takes a successful save. */
  void saved(Positions agedNow, long transactionId) {
    aged = agedNow;
    agedChanged = false;
    proof.saved(transactionId);
    sleeping.saved(transactionId);
  }

  /** Takes the transactions that hold a write lock on the ledger. */
  void writers(Set<Long> writers) {
    proof.writersNow(writers);
    sleeping.writersNow(writers);
  }

  /** Returns the open positions that were looked for by the last poll, and not seen. */
  private Positions holes() {
    return near.open().minus(unsettled).minus(withheld);
  }

  /** A page whose messages are not all settled yet, and the payload bytes it keeps in memory. */
  private record ReadPage(Positions positions, long bytes) {}
}
