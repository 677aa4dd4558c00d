// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.HoleTracker;
import io.outledger.frontier.Positions;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.KnownMessage;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far an owner is: its frontier, and what it has read and not settled.
 *
 * <p>Sleeping holes are not part of {@code awake}, so that what is done for every page takes no
 * time in proportion to them.
 */
public final class Progress {

  private final HoleTracker holes = new HoleTracker();
  private final ReadWindow window = new ReadWindow();
  private final OverflowPositions overflow;

  /** The frontier without the holes that sleep. */
  private Frontier awake;

  /** Settled messages of other partitions, beside open positions. */
  private Positions ofOthers = Positions.NONE;

  private boolean hasReadOpen;

  /** Nothing above it is read any more. */
  private long upTo = Long.MAX_VALUE;

  /** Used to check, at each poll and take-over, that this is still the same ledger. */
  private @Nullable KnownMessage known;

  /** Starts from what a lease was taken with. */
  public Progress(LeaseGrant grant, RelayOptions options) {
    this.awake = grant.frontier();
    this.overflow = new OverflowPositions(grant.overflow(), options.holes().rangesInRowMax());
    this.hasReadOpen = awake.open().isEmpty();
    this.known = grant.known();
  }

  long high() {
    return awake.high();
  }

  /** Returns the frontier, with all holes. */
  public Frontier frontier() {
    return new Frontier(awake.high(), awake.open().union(holes.asleep()));
  }

  /**
   * Returns the frontier for the cursor's row; of the overflow it may leave out any. Messages of
   * other partitions between open positions are open in it: a range for each own message would make
   * a row large, and who reads them again needs only to look whose they are.
   */
  public Frontier toSave() {
    Positions open = awake.open().union(overflow.asleepInRow());
    return new Frontier(
        awake.high(), ofOthers.isEmpty() ? open : open.union(ofOthers).rangesWith(open));
  }

  /** Returns a message that the ledger must still show, or null before one was read. */
  public @Nullable KnownMessage known() {
    return known;
  }

  /** Reads up to a position from now on, and no further; {@link Long#MAX_VALUE} for no end. */
  public void readUpTo(long position) {
    upTo = position;
  }

  /** Returns whether all is read up to the position that is the end. */
  public boolean isReadUpToEnd() {
    return awake.high() >= upTo;
  }

  /** Returns what a page shows up to the end: the rest of it is as if it had not been read. */
  Page cut(PollRequest request, Page page) {
    return request.above() == Long.MAX_VALUE ? page : Look.upTo(page, upTo);
  }

  Positions asleep() {
    return holes.asleep();
  }

  /** Returns the open positions that are kept beside the cursor's row, as last saved. */
  public Positions overflow() {
    return overflow.saved();
  }

  /** Returns those that the next save is to keep there. */
  public Positions nextOverflow() {
    return overflow.next();
  }

  int openRanges() {
    return awake.open().ranges() + holes.asleepRanges();
  }

  /** Returns whether a save would bring a proof forward. */
  boolean wantsWitness() {
    return holes.wantsWitness();
  }

  /** Returns whether knowing the ledger's writers would help. */
  boolean wantsWriters() {
    return holes.wantsWriters();
  }

  /**
   * Returns whether every message that was open when the lease was taken has been read. Until then
   * no parked message may be tried: an earlier one of its key may be among the open ones.
   */
  public boolean hasReadOpen() {
    return hasReadOpen;
  }

  /** Returns how many messages have been read and are not settled. */
  public long unsettledCount() {
    return window.positions().size();
  }

  /** Returns how many messages may be read now. */
  public int room(RelayOptions options) {
    return window.room(options);
  }

  /**
   * Returns the request for a page, and for the open positions beside it that are neither in flight
   * nor asleep.
   */
  PollRequest request(boolean ahead, int limit, long bytesMax) {
    long above = ahead ? awake.high() : Long.MAX_VALUE;
    return new PollRequest(above, limit, bytesMax, awake.open().minus(window.positions()), known);
  }

  /** Returns the holes that must be asked for before the page may be taken, because they slept. */
  Positions missedBy(PollRequest request, Page page) {
    return holes.missedBy(request.open(), page.snapshot());
  }

  /** Takes a page that misses nothing, and returns the holes that it proves dead. */
  Positions took(PollRequest request, Page page) {
    Positions wanted = awake.open().minus(window.positions());
    hasReadOpen |= page.withheld().isEmpty() && wanted.minus(request.open()).isEmpty();
    Positions asked = request.open();
    Positions lookedFor = asked.intersection(wanted).union(asked.intersection(holes.asleep()));
    if (request.above() != Long.MAX_VALUE) {
      lookedFor = lookedFor.union(Positions.range(awake.high() + 1, page.readTo()));
      awake = awake.readTo(page.readTo());
      known = lastOf(page.messages(), known);
    }
    Positions shown = window.read(page.messages()).union(page.withheld());
    HoleTracker.Looked looked = holes.looked(lookedFor, shown, page.snapshot());
    awake = new Frontier(awake.high(), awake.open().union(looked.woken()));
    awake = awake.settle(looked.dead()).settle(looked.fallenAsleep());
    overflow.woken(looked.woken());
    overflow.fallenAsleep(looked.fallenAsleep());
    overflow.settled(looked.dead());
    return looked.dead();
  }

  private static @Nullable KnownMessage lastOf(
      List<LedgerMessage> read, @Nullable KnownMessage before) {
    if (read.isEmpty()) {
      return before;
    }
    LedgerMessage last = read.get(read.size() - 1);
    return before != null && before.position() > last.position()
        ? before
        : new KnownMessage(last.position(), last.message().id());
  }

  /** Takes note of messages of other partitions, which are settled with the next ones. */
  public void readOfOthers(Positions positions) {
    ofOthers = ofOthers.union(positions);
  }

  /** Takes what has been settled since the last call. */
  public void settled(Positions positions) {
    awake = awake.settle(positions);
    overflow.settled(positions);
    window.settled(positions);
    if (!ofOthers.isEmpty()) {
      Positions open = awake.open(); // beside which alone they matter
      ofOthers = open.union(ofOthers).rangesWith(open).intersection(ofOthers);
    }
  }

  /** Takes a successful save. */
  public void saved(Positions nowOverflow, long witness) {
    overflow.saved(nowOverflow);
    holes.saved(witness);
  }

  /** Takes the writers that may still make a position visible. */
  void writers(Set<Long> writers) {
    holes.writersNow(writers);
  }
}
