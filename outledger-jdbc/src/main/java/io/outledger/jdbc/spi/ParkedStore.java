// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Given;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.ParkedStatus;
import io.outledger.store.ParkedPlace;
import java.util.List;
import java.util.Set;

/**
 * Lists parked messages and notes what an operator asks for. The owner of the subscription carries
 * a request out: nothing here changes a message's state. Every method throws {@link
 * io.outledger.StoreException} if the database failed. Thread-safe.
 */
public interface ParkedStore {

  /**
   * Returns parked messages that fit, in the order of {@link ParkedPlace#byPosition()}.
   *
   * @param subscription the subscription, a valid name
   * @param selection which of them
   * @param after only those after this place
   * @param limit at most this many, 1 or more
   */
  List<ParkedStatus> list(
      String subscription, ParkedSelection selection, ParkedPlace after, int limit);

  /**
   * Notes a request for a message that is dead or retrying. A later request replaces an earlier
   * one.
   *
   * @param subscription the subscription, a valid name
   * @param request what is asked for
   * @param place where it is parked
   * @return whether there was such a message
   */
  boolean request(String subscription, ParkedRequest request, ParkedPlace place);

  /**
   * Notes, in one transaction, a request for the next messages that fit and are dead or retrying,
   * in the order of {@link ParkedPlace#byPosition()}. Those that the owner is just changing are
   * passed over, and not waited for.
   *
   * @param subscription the subscription, a valid name
   * @param request what is asked for
   * @param selection which of them
   * @param after only those after this place
   * @param limit at most this many
   */
  Requested requestNext(
      String subscription,
      ParkedRequest request,
      ParkedSelection selection,
      ParkedPlace after,
      int limit);

  /** Returns the names of all subscriptions. */
  Set<String> subscriptions();

  /** Returns the places at which a position of a subscription is parked, in any state, in order. */
  List<ParkedPlace> placesAt(String subscription, long position);

  /** Returns the routes in which messages of a subscription are parked, in any state. */
  Set<String> routes(String subscription);

  /**
   * The result of one step.
   *
   * @param found how many it found; as many as its limit where there may be more
   * @param asked for how many of them it noted the request
   * @param last the place of the last that it found, or the one after which it looked
   */
  record Requested(int found, int asked, ParkedPlace last) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
     */
    public Requested {
      Given.check("last", last);
    }
  }
}
