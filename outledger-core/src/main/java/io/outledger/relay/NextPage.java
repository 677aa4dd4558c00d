// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The page that is read while the one of before is handed on. It is only read where there is no
 * hole, not even one that is asleep: it is older than a save, and than a look at who writes, by the
 * time it is used, so a hole that it does not show might be taken for dead.
 */
final class NextPage {

  private final RelayStore store;
  private final ReadAhead ahead;
  private @Nullable PollRequest request;
  private @Nullable Supplier<Page> reading;
  private @Nullable Page page;

  NextPage(RelayStore store, ReadAhead ahead) {
    this.store = store;
    this.ahead = ahead;
  }

  /** Begins to read. */
  void begin(PollRequest next) {
    request = next;
    page = null;
    reading = ahead.begin(() -> store.poll(next));
  }

  /** Waits until nothing is read any more, and returns what has been, or null where nothing was. */
  @Nullable Page await() {
    Supplier<Page> begun = reading;
    if (begun == null) {
      return null;
    }
    reading = null;
    page = begun.get();
    return page;
  }

  /** Says whether messages wait here. */
  boolean isWaiting() {
    return page != null;
  }

  /**
   * Takes as much of the page as is asked for now, where it is what would be read now. The rest
   * waits on; where it is something else, all of it is forgotten and null returned.
   */
  @Nullable Page take(PollRequest now) {
    Page whole = page;
    PollRequest asked = request;
    forget();
    if (whole == null
        || asked == null
        || asked.above() != now.above()
        || !asked.open().equals(now.open())) {
      return null;
    }
    if (whole.messages().size() <= now.limit()) {
      return whole;
    }
    List<LedgerMessage> first = whole.messages().subList(0, now.limit());
    long readTo = first.get(first.size() - 1).position();
    List<LedgerMessage> rest = whole.messages().subList(now.limit(), whole.messages().size());
    page = part(whole, rest, whole.readTo(), whole.more());
    request = new PollRequest(readTo, asked.limit(), asked.bytesMax(), asked.open());
    return part(whole, first, readTo, true);
  }

  void forget() {
    page = null;
    request = null;
  }

  /** Waits until nothing is read any more; what is read, or fails, is of no interest. */
  void abandon() {
    try {
      await();
    } catch (RuntimeException e) {
      // Whoever asks the store next is told.
    }
    forget();
  }

  private static Page part(Page of, List<LedgerMessage> messages, long readTo, boolean more) {
    return new Page(
        messages,
        readTo,
        of.withheld(),
        more,
        of.horizon(),
        of.running(),
        of.newest(),
        of.server());
  }
}
