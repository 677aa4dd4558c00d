// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.relay.context.ReadAhead;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The page prefetched while the previous one is dispatched. By the time it is used, a save may have
 * followed it. That does no harm: a writer that drew a number below the end of an earlier page did
 * so before both. But if the relay has asked for the ledger's writers since the page was read, the
 * page must be forgotten: a writer that had ended by then may have been running when the page was
 * read, and the relay would take a hole that the page does not show for dead.
 */
final class NextPage {

  private final RelayStore store;
  private final ReadAhead ahead;
  private final TimeSource time;
  private volatile long tookNanos; // written by the thread that reads, before its page is awaited
  private @Nullable PollRequest request;
  private @Nullable Supplier<Page> reading;
  private @Nullable Page page;

  NextPage(RelayStore store, ReadAhead ahead, TimeSource time) {
    this.store = store;
    this.ahead = ahead;
    this.time = time;
  }

  /** Begins to read. */
  void begin(PollRequest next) {
    request = next;
    page = null;
    reading = ahead.begin(() -> timed(next));
  }

  private Page timed(PollRequest next) {
    long from = time.nanoTime();
    Page read = store.poll(next);
    tookNanos = time.nanoTime() - from;
    return read;
  }

  /** Waits for a read under way and returns its page; null if none was under way. */
  @Nullable Page await() {
    Supplier<Page> begun = reading;
    if (begun == null) {
      return null;
    }
    reading = null;
    page = begun.get();
    return page;
  }

  /** Returns how long it took to read the page that was awaited last. */
  Duration took() {
    return Duration.ofNanos(tookNanos);
  }

  /** Says whether messages wait here. */
  boolean isWaiting() {
    return page != null;
  }

  /**
   * Takes as many messages of the page as the request asks for, if the page answers the request: it
   * starts at the same position, was asked for every open position of the request, and, where it
   * shows messages at open positions, fits as a whole. The rest of the page stays here. A page that
   * does not answer the request is dropped, and null returned.
   */
  @Nullable Page take(PollRequest now) {
    Page whole = page;
    PollRequest asked = request;
    forget();
    if (whole == null
        || asked == null
        || asked.above() != now.above()
        || !now.open().minus(asked.open()).isEmpty()) {
      return null;
    }
    if (whole.messages().size() <= now.limit()) {
      return whole;
    }
    if (whole.messages().get(0).position() <= asked.above()) {
      return null; // what is open is looked at as a whole, or a part would look like holes
    }
    List<LedgerMessage> first = whole.messages().subList(0, now.limit());
    long readTo = first.get(first.size() - 1).position();
    List<LedgerMessage> rest = whole.messages().subList(now.limit(), whole.messages().size());
    page = Look.part(whole, rest, whole.readTo(), whole.withheld(), whole.more());
    Positions open = asked.open().union(holes(asked.above(), first));
    request = new PollRequest(readTo, asked.limit(), asked.bytesMax(), open, asked.known());
    return Look.part(whole, first, readTo, whole.withheld(), true);
  }

  /** Returns the positions between messages, where the page has shown nothing. */
  private static Positions holes(long above, List<LedgerMessage> messages) {
    PositionsBuilder holes = new PositionsBuilder();
    long last = above;
    for (LedgerMessage message : messages) {
      holes.add(last + 1, message.position() - 1);
      last = message.position();
    }
    return holes.build();
  }

  void forget() {
    page = null;
    request = null;
  }

  /** Waits until nothing is read any more; what is read, or fails, is of no interest. */
  void abandon() {
    try {
      await();
    } catch (Throwable e) {
      // The next call to the store reports the failure.
    }
    forget();
  }
}
