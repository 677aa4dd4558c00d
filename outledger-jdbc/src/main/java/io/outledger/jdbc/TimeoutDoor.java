// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.jdbc.spi.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the time-outs of a saga that a receiver moves have their way to it: a relay, here or in
 * another process. Thread-safe.
 */
final class TimeoutDoor {

  private static final Logger LOG = LoggerFactory.getLogger(TimeoutDoor.class);

  private final Database database;
  private final Set<String> looked = ConcurrentHashMap.newKeySet();

  TimeoutDoor(Database database) {
    this.database = database;
  }

  /**
   * Says so where no relay has a saga. It asks once for each saga.
   *
   * @param transaction that of a step
   */
  void look(String saga, Connection transaction) {
    if (looked.contains(saga)) {
      return;
    }
    try {
      if (!database.sagas().isRelayed(transaction, saga) && looked.add(saga)) {
        LOG.warn(
            "saga {} has time-outs, and no relay has it so far, in this process or another one, so"
                + " none of them comes: start one, by relay(…).saga(…), or for its time-outs alone"
                + " by relay(…).handler(\"{}\", sagas().timeoutHandlers(…))",
            Printable.value(saga),
            Printable.value(saga));
      }
      looked.add(saga);
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "look for a relay with saga " + saga);
    }
  }
}
