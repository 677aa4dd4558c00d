// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The key of a cursor: the subscription and its partition.
 *
 * @param subscription the subscription's name
 * @param partition the partition's number, 0 for the only one
 */
public record CursorKey(String subscription, int partition) {

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
