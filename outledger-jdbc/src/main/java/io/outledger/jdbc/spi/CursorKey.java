// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.relay.Slots;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The key of a cursor: the subscription and its partition.
 *
 * @param subscription the subscription's name
 * @param partition 0 for the only one of a subscription that is not divided; else the partition's
 *     number, from 1 on
 */
public record CursorKey(String subscription, int partition) {

  private static final int EVERY = -1;

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public CursorKey {
    Require.nonNull("subscription", subscription);
  }

  /**
   * Returns the key of a subscription that is not divided.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the name is null
   */
  public static CursorKey of(String subscription) {
    return new CursorKey(subscription, 0);
  }

  /**
   * Returns what stands for all partitions of a divided subscription where parked messages are
   * meant.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the name is null
   */
  public static CursorKey everyPartition(String subscription) {
    return new CursorKey(subscription, EVERY);
  }

  /** Returns whether it stands for all partitions of a divided subscription. */
  boolean isEveryPartition() {
    return partition == EVERY;
  }

  /**
   * Returns the key of a share of a subscription's messages, for relays and for engines with slots
   * alike. Its number is one more than the slot's, so that nobody takes one of several for the only
   * one.
   *
   * @param slots how many shares there are
   * @param slot 0 or more, and less than that
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public static CursorKey ofSlot(String subscription, Slots slots, int slot) {
    boolean isDivided = Require.nonNull("slots", slots).count() > 1;
    return new CursorKey(subscription, isDivided ? slot + 1 : 0);
  }

  /** Returns the partition's number of a slot, this one's or another one of the subscription. */
  public int partitionOf(int slot) {
    return partition == 0 ? 0 : slot + 1;
  }

  /** Binds both parts and returns the index of the next parameter. */
  public int bind(PreparedStatement statement, int from) throws SQLException {
    Require.nonNull("statement", statement);
    statement.setString(from, subscription);
    statement.setInt(from + 1, partition);
    return from + 2;
  }

  @Override
  public String toString() {
    return partition == 0 ? subscription : subscription + "/" + partition;
  }
}
