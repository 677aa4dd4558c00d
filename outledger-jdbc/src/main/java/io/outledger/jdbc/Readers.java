// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.jdbc.admin.ConsumerState;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Overview;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.reading.OtherReads;
import io.outledger.jdbc.reading.SubscriptionReads;

/**
 * All subscriptions and consumers, page by page, however many there are. A page has {@value
 * Overview#ROWS_MAX} of them at most, and says where the next one begins. Made by {@link
 * Admin#readers()}, with which it is closed. Thread-safe.
 *
 * <pre>{@code
 * Listing<SubscriptionState, Reader> page = admin.readers().subscriptions();
 * while (page.next() != null) {
 *   page = admin.readers().subscriptions(page.next());
 * }
 * }</pre>
 */
public final class Readers {

  private static final String USE = "list who reads the ledger";

  private final SubscriptionReads subscriptions;
  private final OtherReads others;
  private final OpenState openState;

  Readers(SubscriptionReads subscriptions, OtherReads others, OpenState openState) {
    this.subscriptions = subscriptions;
    this.others = others;
    this.openState = openState;
  }

  /**
   * Returns the first subscriptions, by name and partition.
   *
   * @throws StoreException if the database failed
   */
  public Listing<SubscriptionState, Reader> subscriptions() {
    openState.require(USE);
    return subscriptions.first();
  }

  /**
   * Returns the subscriptions behind one, by name and partition.
   *
   * @param after {@link Listing#next()} of the page before
   * @throws StoreException if the database failed
   */
  public Listing<SubscriptionState, Reader> subscriptions(Reader after) {
    Require.nonNull("after", after);
    openState.require(USE);
    return subscriptions.behind(after);
  }

  /**
   * Returns the first consumers that have processed or parked a message, by name.
   *
   * @throws StoreException if the database failed
   */
  public Listing<ConsumerState, String> consumers() {
    return consumers("");
  }

  /**
   * Returns the consumers behind one, by name.
   *
   * @param after {@link Listing#next()} of the page before
   * @throws StoreException if the database failed
   */
  public Listing<ConsumerState, String> consumers(String after) {
    Require.nonNull("after", after);
    openState.require(USE);
    return others.consumers(after);
  }
}
