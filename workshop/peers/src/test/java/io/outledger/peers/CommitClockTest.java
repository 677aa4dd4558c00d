// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.outledger.benchmarks.SharedClock;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class CommitClockTest {

  private final DataSource watched = CommitClock.watch(dataSource());

  @Test
  void firstCommitSinceItWasArmedIsNoted() throws SQLException {
    CommitClock.arm();
    long before = SharedClock.nanos();
    commit();
    long after = SharedClock.nanos();
    commit();

    assertThat(CommitClock.takeNanos()).isBetween(before, after);
  }

  @Test
  void nothingIsToldWhereNothingWasCommitted() {
    CommitClock.arm();

    assertThatIllegalStateException().isThrownBy(CommitClock::takeNanos);
  }

  private void commit() throws SQLException {
    try (Connection connection = watched.getConnection()) {
      connection.commit();
    }
  }

  private static DataSource dataSource() {
    Connection connection = proxy(Connection.class, null);
    return proxy(DataSource.class, connection);
  }

  private static <T> T proxy(Class<T> type, @org.jspecify.annotations.Nullable Object connection) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                method.getName().equals("getConnection") ? connection : null));
  }
}
