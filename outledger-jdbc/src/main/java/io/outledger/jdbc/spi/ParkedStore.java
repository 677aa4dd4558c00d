// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.jdbc.ParkedStatus;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.util.List;

/**
 * Lists parked messages and notes what an operator asks for. The owner of the subscription carries
 * a request out: nothing here changes a message's state. Every method throws {@link
 * io.outledger.StoreException} where the database failed. Thread-safe.
 */
public interface ParkedStore {

  /** What an operator can ask for. */
  enum Request {
    /** Try it again now. */
    RETRY,
    /** Give it up permanently. */
    DISCARD
  }

  /**
   * Returns parked messages in order of position and lane.
   *
   * @param subscription the subscription, a valid name
   * @param state only those in this state
   * @param above only those at positions above this one
   * @param limit at most this many
   */
  List<ParkedStatus> list(String subscription, ParkedState state, long above, int limit);

  /**
   * Notes a request for a message that is dead or retrying. A later request replaces an earlier
   * one.
   *
   * @param subscription the subscription, a valid name
   * @param request what is asked for
   * @param place where it is parked
   * @return whether there was such a message
   */
  boolean request(String subscription, Request request, ParkedPlace place);

  /**
   * Notes, in one transaction, a request to retry the next dead letters in order of position and
   * lane. Those that the owner is just changing are passed over, and not waited for.
   *
   * @param subscription the subscription, a valid name
   * @param after only those after this place
   * @param limit at most this many
   */
  Requested retryNext(String subscription, ParkedPlace after, int limit);

  /**
   * What one step did.
   *
   * @param found how many it found; as many as its limit where there may be more
   * @param asked for how many of them it noted the request
   * @param last the place of the last that it found, or the one after which it looked
   */
  record Requested(int found, int asked, ParkedPlace last) {}
}
