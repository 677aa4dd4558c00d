// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.Name;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Skip;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.Database;
import io.outledger.store.Declaration;
import io.outledger.store.Start;
import javax.sql.DataSource;

/**
 * Moves and deletes subscriptions: short for {@link Requests}, in the name of this process. {@link
 * Admin#subscriptions} reads where they stand. A move does not require you to stop relays or
 * purges. Once the {@link Outledger} it comes from is closed, everything fails with a {@link
 * StoreException} {@code OUT-026}. Thread-safe.
 */
public final class Subscriptions {

  private static final String USE = "administer subscriptions";

  private final Requester requester;
  private final OpenState openState;

  Subscriptions(Requester requester, OpenState openState) {
    this.requester = requester;
    this.openState = openState;
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
    Require.nonNull("schema", schema);
    Database database = Databases.find(dataSource, schema);
    OpenState openState = new OpenState();
    return new Subscriptions(Requester.of(database, dataSource, openState), openState);
  }

  /**
   * Moves a subscription back to read messages again: see {@link Move}. A running relay is fenced
   * at its next save and continues from the new start; messages that it publishes in the meantime
   * may be published again. Messages parked before the start stay parked. Parked messages at or
   * after the start are read again: their rows, with attempts and requests, are removed. A move to
   * a time first walks through the ledger, which may take long but blocks nobody.
   *
   * @param name the subscription
   * @param start the position from which it continues
   * @return the old and the new position
   * @throws ConfigurationException {@code OUT-019} if retention has removed the start, {@code
   *     OUT-021} if it would pass over something, or is beyond the ledger's end, {@code OUT-025} if
   *     there is no such subscription; nothing has changed
   * @throws StoreException if the database failed. What was asked for may still be carried out,
   *     once; the message then names the request, which {@link Requests#stop} ends
   */
  public Moved move(String name, Start start) {
    return place(new Move(name, start));
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
   * @throws StoreException if the database failed. What was asked for may still be carried out,
   *     once; the message then names the request, which {@link Requests#stop} ends
   */
  public Moved moveAndProcessAgain(String name, Start start) {
    return place(new Move(name, start, true));
  }

  /**
   * Has a subscription pass over everything before a start: see {@link Skip}.
   *
   * @param name the subscription
   * @param start from where it continues
   * @return the old and the new position
   * @throws ConfigurationException as {@link #move} does, where it would read something again
   * @throws StoreException if the database failed. What was asked for may still be carried out,
   *     once; the message then names the request, which {@link Requests#stop} ends
   */
  public Moved skip(String name, Start start) {
    return place(new Skip(name, start));
  }

  private Moved place(Verb.OfPlace verb) {
    openState.require(USE);
    return MovedText.read(requester.ask(verb).result());
  }

  /**
   * Ends what was declared of a subscription, because its handler is gone for good: messages for it
   * are not parked any more. What is parked for it stays so; discard it, or start an instance that
   * has the handler. An instance that has it declares it again when it starts.
   *
   * @return whether it was declared
   * @throws StoreException if the database failed. What was asked for may still be carried out,
   *     once; the message then names the request, which {@link Requests#stop} ends
   */
  public boolean endDeclaration(String name, Declaration declared) {
    Name.check("subscription", name);
    Require.nonNull("declared", declared);
    openState.require(USE);
    return requester.endDeclaration(Reader.subscription(name), declared);
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
   * @throws StoreException if the database failed. What was asked for may still be carried out,
   *     once; the message then names the request, which {@link Requests#stop} ends
   */
  public void delete(String name) {
    Name.check("subscription", name);
    openState.require(USE);
    requester.ask(new Verb.Delete(name));
  }
}
