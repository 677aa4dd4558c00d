// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Request;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A process that dies at one of its commits: right before the database gets it, or right after. */
final class KillingDataSource {

  private final DataSource dataSource;
  private final AtomicInteger commitsLeft = new AtomicInteger(Integer.MAX_VALUE);
  private volatile boolean commitsFirst;

  KillingDataSource(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Has it die.
   *
   * @param commits at which of the next commits, 1 for the first
   * @param after whether the database has committed by then
   */
  void dieAt(int commits, boolean after) {
    commitsFirst = after;
    commitsLeft.set(commits);
  }

  /** Has it die now: no call over its connections comes through any more. */
  void die() {
    commitsLeft.set(0);
  }

  /**
   * Asks as a process that dies at one of its commits.
   *
   * @return whether it came to that commit
   */
  static boolean ask(DataSource dataSource, Request request, int commit, boolean after) {
    KillingDataSource killing = new KillingDataSource(dataSource);
    try (Outledger dying = Outledger.builder(killing.dataSource()).withoutRetention().build()) {
      Requests door = dying.requests();
      killing.dieAt(commit, after);
      try {
        door.ask(request);
      } catch (StoreException e) {
        assertThat(killing.isDead()).as("%s, commit %s", request, commit).isTrue();
      }
      return killing.isDead();
    }
  }

  boolean isDead() {
    return commitsLeft.get() <= 0;
  }

  DataSource dataSource() {
    return LentConnections.of(dataSource, this::dying);
  }

  private Connection dying(Connection connection) throws SQLException {
    if (isDead()) {
      connection.close();
      throw killed();
    }
    boolean[] isOpen = {false};
    return LentConnections.proxy(
        Connection.class,
        (self, method, arguments) -> {
          if (isDead() && !method.getName().equals("close")) {
            connection.close();
            throw killed();
          }
          boolean commits = commits(method, arguments, isOpen[0]);
          isOpen[0] = isOpen(method, arguments, isOpen[0]);
          if (commits && commitsLeft.decrementAndGet() == 0) {
            if (commitsFirst) {
              connection.commit();
            } else {
              connection.rollback();
            }
            connection.close();
            throw killed();
          }
          return LentConnections.invoke(connection, method, arguments);
        });
  }

  /** Leaving the transaction for auto-commit mode commits it, too. */
  private static boolean commits(Method method, Object[] arguments, boolean isOpen) {
    return method.getName().equals("commit")
        || (isOpen && method.getName().equals("setAutoCommit") && arguments[0].equals(true));
  }

  private static boolean isOpen(Method method, Object[] arguments, boolean wasOpen) {
    return switch (method.getName()) {
      case "commit", "rollback" -> false;
      case "setAutoCommit" -> arguments[0].equals(false);
      default -> wasOpen;
    };
  }

  private static SQLException killed() {
    return new SQLNonTransientConnectionException("the process was killed", "08006");
  }
}
