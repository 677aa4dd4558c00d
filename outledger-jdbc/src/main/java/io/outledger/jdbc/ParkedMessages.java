// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Given;
import io.outledger.Name;
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
   * @param limit at most this many
   * @throws StoreException where the database failed
   */
  public List<ParkedStatus> list(ParkedState state, long above, int limit) {
    Given.check("state", state);
    return store.list(subscription, state, above, limit);
  }

  /**
   * Asks that a dead letter be tried again, or a retrying message now.
   *
   * @return whether there was one
   * @throws StoreException where the database failed
   */
  public boolean retry(long position, String lane) {
    return request(Request.RETRY, position, lane);
  }

  /**
   * Asks that a message that is dead or retrying be discarded permanently. An attempt that is under
   * way is finished first, and if it succeeds the message is published.
   *
   * @return whether there was one
   * @throws StoreException where the database failed
   */
  public boolean discard(long position, String lane) {
    return request(Request.DISCARD, position, lane);
  }

  /**
   * Asks that every dead letter be tried again, a thousand in each transaction.
   *
   * @return how many were asked for; not those that their owner was just changing
   * @throws StoreException where the database failed; some may have been asked for
   */
  public int retryAll() {
    int count = 0;
    Requested step = new Requested(0, 0, ParkedPlace.FIRST);
    do {
      step = store.retryNext(subscription, step.last(), REQUESTS_A_STEP);
      count += step.asked();
    } while (step.found() == REQUESTS_A_STEP);
    return count;
  }

  private boolean request(Request request, long position, String lane) {
    ParkedPlace place = new ParkedPlace(Given.check("lane", lane), position);
    return store.request(subscription, request, place);
  }
}
