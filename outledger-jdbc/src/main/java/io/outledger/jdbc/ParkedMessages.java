// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.Name;
import io.outledger.Printable;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.ParkedStore;
import io.outledger.jdbc.spi.ParkedStore.Request;
import io.outledger.jdbc.spi.ParkedStore.Requested;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.util.List;
import javax.sql.DataSource;

/**
 * What an operator does with the parked messages of a subscription: look, retry, discard. A request
 * is only noted here; the owner of the subscription, who knows the blocked keys, carries it out.
 * Thread-safe.
 */
public final class ParkedMessages {

  private static final int REQUESTS_A_STEP = 1000;

  private final ParkedStore store;
  private final String subscription;

  ParkedMessages(ParkedStore store, String subscription) {
    this.store = store;
    this.subscription = Name.check("subscription", subscription);
  }

  /**
   * Creates it for a subscription in a schema.
   *
   * @param dataSource is asked what database it is
   * @throws io.outledger.ConfigurationException {@code OUT-006} where a name is not valid, {@code
   *     OUT-020} where no module on the class path supports the database
   * @throws StoreException {@code OUT-016} where the database cannot be reached
   */
  public static ParkedMessages of(DataSource dataSource, String schema, String subscription) {
    return new ParkedMessages(Databases.find(dataSource, schema).parked(dataSource), subscription);
  }

  /**
   * Returns parked messages in order of position.
   *
   * @param state only those in this state
   * @param above only those at positions above this one, for the next page; 0 at first
   * @param limit at most this many; 1 or more
   * @throws io.outledger.ConfigurationException {@code OUT-021} where the limit is below 1, {@code
   *     OUT-025} where there is no such subscription
   * @throws StoreException where the database failed
   */
  public List<ParkedStatus> list(ParkedState state, long above, int limit) {
    return list(ParkedSelection.of(state), above, limit);
  }

  /** Returns those parked messages that fit; else as {@link #list(ParkedState, long, int)}. */
  public List<ParkedStatus> list(ParkedSelection selection, long above, int limit) {
    Given.check("selection", selection);
    if (limit < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "limit is " + limit + " but must be 1 or more");
    }
    List<ParkedStatus> found = store.list(subscription, selection, above, limit);
    if (found.isEmpty()) {
      requireKnown();
    }
    return found;
  }

  /**
   * Asks that a message that is dead or retrying be tried again now. A held one is not asked for:
   * the one that it is held behind is.
   *
   * @return whether there was one
   * @throws io.outledger.ConfigurationException {@code OUT-025} where there is no such
   *     subscription, or the position is parked in other routes only
   * @throws StoreException where the database failed
   */
  public boolean retry(long position, String route) {
    return request(Request.RETRY, position, route);
  }

  /**
   * Asks that a message that is dead or retrying be discarded permanently; else as {@link
   * #retry(long, String)}. An attempt that is under way is finished first, and if it succeeds the
   * message is published.
   */
  public boolean discard(long position, String route) {
    return request(Request.DISCARD, position, route);
  }

  /**
   * Asks that every dead letter be tried again, as {@link #retry(ParkedSelection)} does.
   *
   * @return how many were asked for
   */
  public int retryAll() {
    return retry(ParkedSelection.of(ParkedState.DEAD));
  }

  /**
   * Asks that all messages that fit, and are dead or retrying, be tried again now; a thousand in
   * each transaction.
   *
   * @return how many were asked for; not those that their owner was just changing
   * @throws io.outledger.ConfigurationException {@code OUT-021} where held messages are selected:
   *     ask for those that they are held behind; {@code OUT-025} where there is no such
   *     subscription
   * @throws StoreException where the database failed; some may have been asked for
   */
  public int retry(ParkedSelection selection) {
    return request(Request.RETRY, selection);
  }

  /**
   * Asks that all messages that fit, and are dead or retrying, be discarded permanently; else as
   * {@link #retry(ParkedSelection)}.
   */
  public int discard(ParkedSelection selection) {
    return request(Request.DISCARD, selection);
  }

  private boolean request(Request request, long position, String route) {
    ParkedPlace place = new ParkedPlace(Given.check("route", route), position);
    boolean isThere = store.request(subscription, request, place);
    if (!isThere) {
      requireKnown();
      requireRoute(place);
    }
    return isThere;
  }

  private int request(Request request, ParkedSelection selection) {
    if (Given.check("selection", selection).state() == ParkedState.HELD) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "held messages cannot be retried or discarded: each is released when the parked message"
              + " ahead of it is published or discarded; select dead or retrying messages");
    }
    int count = 0;
    Requested step = new Requested(0, 0, new ParkedPlace("", 0));
    do {
      step = store.requestNext(subscription, request, selection, step.last(), REQUESTS_A_STEP);
      count += step.asked();
    } while (step.found() == REQUESTS_A_STEP);
    if (count == 0) {
      requireKnown();
    }
    return count;
  }

  private void requireKnown() {
    if (!store.isKnown(subscription)) {
      throw unknown("there is no subscription '" + subscription + "'");
    }
  }

  private void requireRoute(ParkedPlace place) {
    List<String> routes = store.routesAt(subscription, place.position());
    if (!routes.isEmpty() && !routes.contains(place.route())) {
      throw unknown(
          "position "
              + place.position()
              + " of subscription '"
              + subscription
              + "' is not parked in route '"
              + Printable.value(place.route())
              + "' but in "
              + routes);
    }
  }

  private static ConfigurationException unknown(String text) {
    return new ConfigurationException(ErrorCode.UNKNOWN_SUBSCRIPTION, text);
  }
}
