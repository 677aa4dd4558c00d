// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.Given;
import io.outledger.Name;
import io.outledger.StoreException;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.store.Declaration;
import io.outledger.store.Start;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Administers subscriptions: list, move, delete. Listing and moving do not require you to stop
 * relays or purges. Once the {@link Outledger} it comes from is closed, everything fails with a
 * {@link StoreException} {@code OUT-026}. Thread-safe.
 */
public final class Subscriptions {

  private static final String USE = "administer subscriptions";

  private final SubscriptionStore store;
  private final Life life;

  Subscriptions(SubscriptionStore store, Life life) {
    this.store = store;
    this.life = life;
  }

  /**
   * Creates it for the tables in a schema.
   *
   * @param dataSource is asked what database it is
   * @throws ConfigurationException {@code OUT-006} if it is not a valid name, {@code OUT-020} if no
   *     module on the class path supports the database
   * @throws StoreException {@code OUT-016} if the database cannot be reached
   */
  public static Subscriptions of(DataSource dataSource, String schema) {
    Given.check("schema", schema);
    return new Subscriptions(
        Databases.find(dataSource, schema).subscriptions(dataSource), new Life());
  }

  /**
   * Returns all subscriptions, by name.
   *
   * @throws StoreException if the database failed
   */
  public List<SubscriptionStatus> list() {
    life.require(USE);
    return store.list();
  }

  /**
   * Moves a subscription back to replay messages or forward to skip them. A running relay is fenced
   * at its next save and continues from the new start; messages that it publishes in the meantime
   * may be published again. Messages parked before the start stay parked. Parked messages at or
   * after the start are read again: their rows, with attempts and requests, are removed. A move to
   * now or to a time first walks through the ledger, which may take long but blocks nobody.
   *
   * @param name the subscription
   * @param start the position from which it continues
   * @return the old and the new position
   * @throws ConfigurationException {@code OUT-019} if retention has removed the start, {@code
   *     OUT-021} if it is beyond the ledger's end, {@code OUT-025} if there is no such
   *     subscription; nothing has changed
   * @throws StoreException if the database failed
   */
  public Moved move(String name, Start start) {
    return move(name, start, false);
  }

  /**
   * Moves a subscription as {@link #move} does, and makes its transactional handlers process the
   * messages from the start again: the same transaction removes their inbox records, so their
   * effects happen a second time. A message that a handler is processing during the move and
   * commits afterwards is recorded and not processed again. Without this, the handlers skip
   * messages that they have processed; {@link Moved#known()} returns their number.
   *
   * @param name the subscription
   * @param start the position from which it continues
   * @return the old and the new position, and how much was forgotten
   * @throws ConfigurationException as {@link #move} does
   * @throws StoreException if the database failed
   */
  public Moved moveAndProcessAgain(String name, Start start) {
    return move(name, start, true);
  }

  private Moved move(String name, Start start, boolean again) {
    Name.check("subscription", name);
    Given.check("start", start);
    life.require(USE);
    return store.move(name, start, again);
  }

  /**
   * Returns what instances have declared of a subscription: its routes and handlers, and which
   * messages each takes.
   *
   * @throws StoreException if the database failed
   */
  public Set<Declaration> declarations(String name) {
    Name.check("subscription", name);
    life.require(USE);
    return store.declarations(name).current().keySet();
  }

  /**
   * Ends what was declared of a subscription, because its handler is gone for good: messages for it
   * are not parked any more. What is parked for it stays so; discard it, or start an instance that
   * has the handler. An instance that has it declares it again when it starts.
   *
   * @return whether it was declared
   * @throws StoreException if the database failed; nothing has changed
   */
  public boolean endDeclaration(String name, Declaration declared) {
    Name.check("subscription", name);
    Given.check("declared", declared);
    life.require(USE);
    return store.endDeclaration(name, declared);
  }

  /**
   * Deletes a subscription with its cursor, its parked messages, and in the same transaction the
   * inbox records of its transactional handlers. Close its relays first; a relay on standby stops
   * by itself with {@code OUT-025}. A relay started afterwards creates the subscription again at
   * its configured start. If that is the earliest message, its handlers process again what is still
   * in the ledger. The records of a {@link JdbcPublisher} are in the other database, and stay.
   *
   * @throws ConfigurationException {@code OUT-025} if there is no such subscription, {@code
   *     OUT-028} if a relay has a lease on it; nothing has changed
   * @throws StoreException if the database failed; nothing has changed
   */
  public void delete(String name) {
    Name.check("subscription", name);
    life.require(USE);
    store.delete(name);
  }
}
