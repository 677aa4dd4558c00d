// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.jdbc.spi.LedgerAppender;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The databases that an outbox has written to. A data source that routes, by tenant for instance,
 * leads to several, and the relays of one {@link Outledger} read one of them. Thread-safe.
 */
final class AppendTargets {

  private static final Logger LOG = LoggerFactory.getLogger(AppendTargets.class);
  private static final int KNOWN_MAX = 10_000;

  // What follows may be a password, and chooses no other database.
  private static final Pattern PARAMETERS = Pattern.compile("[?;].*", Pattern.DOTALL);
  private static final Pattern USER = Pattern.compile("//[^/@]*@");

  private final String home;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /**
   * Creates it.
   *
   * @param home the address of the database on which the {@link Outledger} was built
   */
  AppendTargets(String home) {
    this.home = home;
    known.add(home);
  }

  /** Returns the address of a connection's database, without user and password; no I/O. */
  static String address(Connection connection) throws SQLException {
    String url = String.valueOf(connection.getMetaData().getURL());
    return USER.matcher(PARAMETERS.matcher(url).replaceAll("")).replaceAll("//");
  }

  /** Returns whether a connection leads to another product than that of the home. */
  boolean isOtherProduct(Connection connection) throws SQLException {
    return !product(address(connection)).equals(product(home));
  }

  /** Returns the first two words, such as {@code jdbc:postgresql}. */
  private static String product(String address) {
    int end = address.indexOf(':', address.indexOf(':') + 1);
    return end < 0 ? address : address.substring(0, end);
  }

  String home() {
    return home;
  }

  /**
   * Says so where messages were appended to, or scheduled in, another database, whose ledger nobody
   * reads. It asks each database once.
   *
   * @param transaction the connection over which they were written
   */
  void look(Connection transaction, LedgerAppender ledger) throws SQLException {
    String target = address(transaction);
    if (known.contains(target) || known.size() >= KNOWN_MAX || !known.add(target)) {
      return;
    }
    if (!ledger.isRead(transaction)) {
      LOG.warn(
          "{}: messages are written to {}, where no subscription reads the ledger, so they are"
              + " kept there and not published. This Outledger was built on {}, and its relays read"
              + " that database alone. If the data source routes, run a relay for each of its"
              + " targets, on an Outledger of the target's own DataSource",
          ErrorCode.LEDGER_UNREAD.code(),
          Printable.value(target),
          Printable.value(home));
    }
  }
}
