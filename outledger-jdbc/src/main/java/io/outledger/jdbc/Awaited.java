// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.Printable;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.SubscriptionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/** For whom it is that a request waits, as its result says: nobody waits without knowing it. */
final class Awaited {

  /** Whoever owns the subscription. */
  static final String OWNER = "their owner";

  private Awaited() {}

  /** Returns for whom of a subscription: it says so where nobody owns a partition of it. */
  static String owner(
      Connection transaction, SubscriptionStore store, String subscription, Instant now)
      throws SQLException {
    try {
      for (CursorKey key : store.cursors(transaction, subscription)) {
        SubscriptionStatus status = store.requireThere(transaction, key);
        if (!isRunning(status, now)) {
          return "an owner" + nobodyRuns(key);
        }
      }
      return OWNER;
    } catch (ConfigurationException e) {
      return OWNER; // it was just deleted: the request's own step says so
    }
  }

  /** Returns for whom of a consumer: receivers have no lease that says whether one runs. */
  static String receiver(String consumer) {
    return "a receiver of consumer " + Printable.value(consumer) + " (start one if none runs)";
  }

  /** Says what to do about a subscription that nobody owns; empty where somebody does. */
  static String unlessRunning(SubscriptionStatus status, Instant now) {
    return isRunning(status, now)
        ? ""
        : nobodyRuns(new CursorKey(status.name(), status.partition()));
  }

  private static boolean isRunning(SubscriptionStatus status, Instant now) {
    Instant until = status.leaseUntil();
    return until != null && until.isAfter(now);
  }

  private static String nobodyRuns(CursorKey key) {
    return " (no relay runs subscription " + Printable.value(key) + ": start one)";
  }
}
