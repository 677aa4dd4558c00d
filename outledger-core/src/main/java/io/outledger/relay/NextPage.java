// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The page that is read while the one of before is handed on. It is only read where no hole is to
 * be looked for beside it: so what is older than a save by the time it is used proves nothing, and
 * hides nothing either.
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

  /** Begins to read, where that is of use. */
  void begin(PollRequest next) {
    if (next.open().isEmpty()) {
      request = next;
      page = null;
      reading = ahead.begin(() -> store.poll(next));
    }
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

  /** Returns the page where it is what would be asked for now, else null. */
  @Nullable Page peek(PollRequest now) {
    boolean isIt =
        request != null && request.above() == now.above() && request.open().equals(now.open());
    return isIt ? page : null;
  }

  /** Returns how many messages wait here. */
  int size() {
    return page == null ? 0 : page.messages().size();
  }

  /** Forgets the page, which was used, or will not be. */
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
}
