// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.RenamedRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says so where a consumer is new, and everything that its broker still delivers will take effect
 * again that took effect under another name: a consumer that was renamed looks like that.
 *
 * <p>Nothing in the database tells who runs a consumer: it has no lease, and what it has declared
 * stays when its process ends. So it is told beside each consumer of which this process has no
 * inbox. Thread-safe.
 */
final class NewConsumers {

  private static final Logger LOG = LoggerFactory.getLogger(NewConsumers.class);
  private static final int NAMES_MAX = 5;

  private final Database database;
  private final Set<String> own;
  private final Set<String> looked = ConcurrentHashMap.newKeySet();

  /**
   * Creates it.
   *
   * @param own the consumers of which this process has an inbox, at any time
   */
  NewConsumers(Database database, Set<String> own) {
    this.database = database;
    this.own = own;
  }

  /**
   * Looks once, before a consumer of this process declares what it handles. Others of the same name
   * wait: they would remember something meanwhile.
   */
  synchronized void look(String consumer, JdbcTransactions transactions) {
    if (looked.contains(consumer)) {
      return;
    }
    try {
      Set<String> others = transactions.callHandling(connection -> left(connection, consumer));
      if (!others.isEmpty()) {
        tell(consumer, others);
      }
      looked.add(consumer);
    } catch (RuntimeException e) { // what the declaration meets as well, or a right that is missing
      LOG.debug("could not look for consumers of other names", Printable.trace(e));
    }
  }

  /** Returns whom a consumer may have been, if it is new here. */
  private Set<String> left(Connection connection, String consumer) {
    try {
      Set<String> known = new TreeSet<>(database.inboxMemory().consumers(connection));
      if (known.contains(consumer)) {
        return Set.of();
      }
      known.removeAll(own);
      Set<String> left = new TreeSet<>();
      RenamedRows rows = database.renamedRows();
      for (String each : known) {
        if (left.size() < NAMES_MAX && rows.ofConsumer(connection, each).isAny()) {
          left.add(each);
        }
      }
      boolean isNew = left.isEmpty() || !rows.isConsumer(connection, consumer);
      return isNew ? left : Set.of();
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "read which consumers there are");
    }
  }

  private static void tell(String consumer, Set<String> others) {
    String old = Printable.value(others.iterator().next());
    String name = Printable.value(consumer);
    LOG.warn(
        "{}: consumer {} is new, and has processed and parked nothing in this database, beside {},"
            + " which this process does not have. If a consumer was renamed, everything that the"
            + " broker still delivers takes effect again: stop this process, and give the consumer"
            + " its old name, {}; or end what the new name has declared, and rename the old one:"
            + " outledger.requests().ask(Verb.Rename.consumer(\"{}\", \"{}\").by(who, why)), which"
            + " says what else is kept in the new name. If it is new on purpose, ignore this; if it"
            + " wants new messages alone, have its receiver begin with them where the broker can,"
            + " before its first start",
        ErrorCode.SUBSCRIPTION_LEFT.code(),
        name,
        Printable.value(others),
        old,
        old,
        name);
  }
}
