// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import io.outledger.frontier.Positions;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Reads an owner's pages one after the other, and prefetches the next while one is dispatched. */
public final class Reading {

  private final RelayStore store;
  private final RelayContext context;
  private final Progress progress;
  private final Housekeeping housekeeping;
  private final Function<Page, Optional<String>> whyNotOurs;
  private final NextPage nextPage;

  /**
   * Makes one that has read nothing.
   *
   * @param n the number of the cursor's row as it was taken
   * @param whyNotOurs returns the reason why a page that was just read must not be published; empty
   *     where the owner may publish it
   */
  public Reading(
      RelayStore store,
      RelayContext context,
      Progress progress,
      long n,
      Function<Page, Optional<String>> whyNotOurs) {
    this.store = store;
    this.context = context;
    this.progress = progress;
    this.housekeeping = new Housekeeping(store, context, context.time().nanoTime(), n);
    this.whyNotOurs = whyNotOurs;
    this.nextPage = new NextPage(store, context.readAhead(), context.time());
  }

  /** The outcome of {@link #next}. */
  public sealed interface Outcome {

    /** A page to publish. */
    record Read(Page page) implements Outcome {}

    /** There is no room for a page. */
    record NoRoom() implements Outcome {}

    /** The subscription is no longer ours, and the reason. */
    record NotOurs(String reason) implements Outcome {}
  }

  /** Reads the next page, and begins to read the one after it. */
  public Outcome next() {
    int limit = progress.room(context.options());
    if (limit == 0) {
      return new Outcome.NoRoom();
    }
    PollRequest request = request(limit);
    Page waiting = nextPage.take(request);
    if (waiting != null) {
      return take(request, waiting);
    }
    Page page = poll(request);
    Optional<String> reason = whyNotOurs.apply(page);
    return reason.isPresent() ? new Outcome.NotOurs(reason.get()) : take(request, page);
  }

  private Page poll(PollRequest request) {
    long from = context.time().nanoTime();
    Page page = store.poll(request);
    Duration took = Duration.ofNanos(context.time().nanoTime() - from);
    context.listener().on(new RelayEvent.Polled(took));
    return page;
  }

  /** Takes a page, together with what it has missed. */
  private Outcome take(PollRequest request, Page whole) {
    Page page = progress.cut(request, whole);
    Positions missed = progress.missedBy(request, page);
    return missed.isEmpty() ? read(request, page) : read(Look.of(request, page, missed));
  }

  /** Looks for what a page has missed; by then others may be missed as well. */
  private Outcome read(Look look) {
    Page found = poll(look.request());
    Optional<String> reason = whyNotOurs.apply(found);
    if (reason.isPresent()) {
      return new Outcome.NotOurs(reason.get());
    }
    Positions others = progress.missedBy(look.asked(), found);
    return others.isEmpty() ? read(look.asked(), look.merged(found)) : read(look.with(others));
  }

  /** Returns whether a page that was read waits to be dispatched. */
  public boolean hasNext() {
    return nextPage.isWaiting();
  }

  /**
   * Waits until nothing is read any more.
   *
   * @return the reason why what was read must not be published; empty where nothing was read, or
   *     the owner may publish it
   */
  public Optional<String> finish() {
    Page page = nextPage.await();
    if (page != null) {
      context.listener().on(new RelayEvent.Polled(nextPage.took()));
    }
    return page == null ? Optional.empty() : whyNotOurs.apply(page);
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
    long bytesMax = context.options().polling().pageBytesMax();
    if (progress.isReadUpToEnd()) {
      return progress.request(false, limit, bytesMax);
    }
    boolean ahead = progress.openRanges() <= context.options().holes().openRangesMax();
    if (ahead) {
      housekeeping.fewEnoughOpen(progress.openRanges());
    } else {
      housekeeping.tooManyOpen(progress.openRanges());
    }
    return progress.request(ahead, limit, bytesMax);
  }

  /** Notes that a page is published next, and begins to read the one after it. */
  private Outcome read(PollRequest request, Page page) {
    Positions dead = progress.took(request, page);
    if (!dead.isEmpty()) {
      context.listener().on(new RelayEvent.HolesDropped(dead));
      housekeeping.frontierChanged();
    }
    RelayOptions options = context.options();
    if (page.more()
        && !progress.isReadUpToEnd()
        && !nextPage.isWaiting()
        && progress.openRanges() <= options.holes().openRangesMax()) {
      int limit = ReadWindow.pageMessagesMax(options);
      nextPage.begin(progress.request(true, limit, options.polling().pageBytesMax()));
    }
    return new Outcome.Read(page);
  }
}
