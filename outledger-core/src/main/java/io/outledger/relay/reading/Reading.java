// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import io.outledger.frontier.Positions;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads an owner's pages one after the other, and prefetches the next while one is dispatched. */
public final class Reading {

  private final RelayStore store;
  private final RelayContext context;
  private final Progress progress;
  private final Housekeeping housekeeping;
  private final Predicate<Page> accepts;
  private final NextPage nextPage;

  /**
   * Makes one that has read nothing.
   *
   * @param n the number of the cursor's row as it was taken
   * @param accepts says whether a page that was just read is the owner's to hand on
   */
  public Reading(
      RelayStore store, RelayContext context, Progress progress, long n, Predicate<Page> accepts) {
    this.store = store;
    this.context = context;
    this.progress = progress;
    this.housekeeping = new Housekeeping(store, context, context.time().nanoTime(), n);
    this.accepts = accepts;
    this.nextPage = new NextPage(store, context.readAhead());
  }

  /**
   * Returns the next page, and begins to read the one after it; null where there is no room for
   * one, or where it is not ours.
   */
  public @Nullable Page next() {
    int limit = progress.room(context.options());
    if (limit == 0) {
      return null;
    }
    PollRequest request = request(limit);
    Page waiting = nextPage.take(request);
    Page page = waiting == null ? poll(request) : waiting;
    if (page == null) {
      return null;
    }
    Positions missed = progress.missedBy(request, page);
    if (!missed.isEmpty()) {
      nextPage.keep(request, page); // what is missed may come before it, in the order of a key
      return poll(missed);
    }
    take(request, page);
    return page;
  }

  /** Asks for positions that were missed; by then others may be missed as well. */
  private @Nullable Page poll(Positions missed) {
    PollRequest request = progress.requestFor(missed, context.options().polling().pageBytesMax());
    Page page = poll(request);
    if (page == null) {
      return null;
    }
    Positions others = progress.missedBy(request, page);
    if (!others.isEmpty()) {
      return poll(missed.union(others));
    }
    take(request, page);
    return page;
  }

  /** Returns whether a page that was read waits to be dispatched. */
  public boolean hasNext() {
    return nextPage.isWaiting();
  }

  /** Waits until nothing is read any more, and says whether what was is ours. */
  public boolean finish() {
    Page page = nextPage.await();
    return page == null || accepts.test(page);
  }

  /** Returns whether a save would bring a proof forward, or has a new frontier to write. */
  public boolean wantsSave() {
    return progress.wantsWitness() || housekeeping.wantsSave();
  }

  /** Takes note of a successful save. */
  public void saved() {
    housekeeping.saved();
  }

  /**
   * Does the owner's occasional work where it is due. If that asks for the writers, the page that
   * waits to be dispatched is forgotten, and read again.
   */
  public void keepHouse(long n) {
    if (housekeeping.keep(progress, n)) {
      nextPage.forget();
    }
  }

  /** Ends all reading. */
  public void end() {
    nextPage.abandon();
  }

  private PollRequest request(int limit) {
    boolean ahead = progress.openRanges() <= context.options().holes().openRangesMax();
    if (ahead) {
      housekeeping.fewEnoughOpen(progress.openRanges());
    } else {
      housekeeping.tooManyOpen(progress.openRanges());
    }
    return progress.request(ahead, limit, context.options().polling().pageBytesMax());
  }

  private @Nullable Page poll(PollRequest request) {
    Page page = store.poll(request);
    return accepts.test(page) ? page : null;
  }

  private void take(PollRequest request, Page page) {
    Positions dead = progress.took(request, page);
    if (!dead.isEmpty()) {
      context.listener().on(new RelayEvent.HolesDropped(dead));
      housekeeping.frontierChanged();
    }
    RelayOptions options = context.options();
    if (page.more()
        && !nextPage.isWaiting()
        && progress.openRanges() <= options.holes().openRangesMax()) {
      int limit = Math.min(options.polling().pageMessagesMax(), options.window().messages());
      nextPage.begin(progress.request(true, limit, options.polling().pageBytesMax()));
    }
  }
}
