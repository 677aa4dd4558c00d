// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.SubscriptionStore;
import java.sql.Connection;
import java.sql.SQLException;

/** Refuses what can be asked of subscriptions alone that are not divided. */
final class UndividedVerb {

  private UndividedVerb() {}

  /**
   * Checks that a subscription is not divided.
   *
   * @throws ConfigurationException {@code OUT-060} if it has partitions
   */
  static void require(
      SubscriptionStore store, Connection transaction, String subscription, String verb)
      throws SQLException {
    int count = store.cursors(transaction, subscription).size();
    if (count > 1) {
      throw new ConfigurationException(
          ErrorCode.OTHER_PARTITIONS,
          ("cannot %s messages of subscription \"%s\", because it is divided into %s partitions;"
                  + " nothing was changed. Move it back instead, or append a corrected message")
              .formatted(verb, subscription, count));
    }
  }
}
