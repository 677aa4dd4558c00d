// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.Given;
import io.outledger.Name;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.store.Start;
import java.util.List;
import javax.sql.DataSource;

/**
 * What an operator does with subscriptions: list, move, delete. Neither a running relay nor a purge
 * needs to be stopped for a list or a move. Thread-safe.
 */
public final class Subscriptions {

  private final SubscriptionStore store;

  Subscriptions(SubscriptionStore store) {
    this.store = store;
  }

  /**
   * Creates it for the tables in a schema.
   *
   * @param dataSource is asked what database it is
   * @throws ConfigurationException {@code OUT-006} where it is not a valid name, {@code OUT-020}
   *     where no module on the class path supports the database
   * @throws StoreException {@code OUT-016} where the database cannot be reached
   */
  public static Subscriptions of(DataSource dataSource, String schema) {
    return new Subscriptions(Databases.find(dataSource, schema).subscriptions(dataSource));
  }

  /**
   * Returns all subscriptions, by name.
   *
   * @throws StoreException where the database failed
   */
  public List<SubscriptionStatus> list() {
    return store.list();
  }

  /**
   * Moves a subscription, back to replay or forward to skip. Its owner, who may be running, is
   * fenced at its next save and goes on from there; what it was publishing meanwhile may be
   * published again. What is parked before the start stays parked; what is parked from it on is
   * read again like all else: its row, with its attempts and any request, goes. A move to now or to
   * a time first walks through the ledger, which may take long and holds nobody up.
   *
   * @param name the subscription
   * @param start where it goes on
   * @return from where to where
   * @throws ConfigurationException {@code OUT-019} where retention has removed the start, {@code
   *     OUT-021} where it is beyond the ledger's end, {@code OUT-025} where there is no such
   *     subscription; nothing has changed
   * @throws StoreException where the database failed
   */
  public Moved move(String name, Start start) {
    return move(name, start, false);
  }

  /**
   * Moves a subscription as {@link #move} does, and has its transactional handlers process again
   * what they have processed from there on: what they remember of that is removed in the same
   * transaction. Their effects happen a second time. What a handler has in hand meanwhile, and
   * commits after that, it remembers and does not process again. Without it they pass over what
   * they know, and {@link Moved#known()} says how much that is.
   *
   * @param name the subscription
   * @param start where it goes on
   * @return from where to where, and how much was forgotten
   * @throws ConfigurationException as {@link #move} does
   * @throws StoreException where the database failed
   */
  public Moved moveAndProcessAgain(String name, Start start) {
    return move(name, start, true);
  }

  private Moved move(String name, Start start, boolean again) {
    Name.check("subscription", name);
    Given.check("start", start);
    return store.move(name, start, again);
  }

  /**
   * Deletes a subscription with its cursor and its parked messages. Close the relays that run it
   * before; one that stands by stops by itself, with {@code OUT-025}. A relay that is started
   * afterwards creates the subscription again, where it is configured to start.
   *
   * @throws ConfigurationException {@code OUT-025} where there is no such subscription, {@code
   *     OUT-028} where a relay has a lease on it; nothing has changed
   * @throws StoreException where the database failed; nothing has changed
   */
  public void delete(String name) {
    Name.check("subscription", name);
    store.delete(name);
  }
}
