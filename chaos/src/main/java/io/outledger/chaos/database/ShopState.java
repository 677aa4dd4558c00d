// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.database;

/**
 * Where the shop stands, by its database.
 *
 * @param owner the incarnation that holds the lease, empty where nobody does
 * @param unsettled how many visible messages the subscription has not settled
 * @param waiting how many ranges of positions are open, and messages parked that are no dead
 *     letters
 * @param withoutEffect how many messages are settled and have no effect yet, among the newest
 * @param writing how many transactions of writers are open
 * @param high the highest position that was read
 * @param settled how many positions up to that one are settled, holes among them
 * @param lowest the lowest position that is not settled
 */
public record ShopState(
    String owner,
    long unsettled,
    long waiting,
    long withoutEffect,
    long writing,
    long high,
    long settled,
    long lowest) {

  /** Says whether nothing waits, as far as can be seen without counting everything. */
  public boolean isDrained() {
    return left() == 0;
  }

  /** Returns how much waits, of whatever kind. */
  public long left() {
    return unsettled + waiting + withoutEffect;
  }
}
