// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How long the one connection of several stores is open. */
class SharedSessionTest {

  private final List<Fake> opened = new ArrayList<>();
  private final SharedSession session = new SharedSession(dataSource());

  /** A connection that can only end. */
  private static final class Fake {
    private boolean isClosed;

    private Connection connection() {
      return proxy(
          Connection.class,
          name -> {
            isClosed |= name.equals("close") || name.equals("abort");
            return name.equals("isClosed") ? isClosed : null;
          });
    }
  }

  /** What a method of a stand-in does. */
  private interface Answer {
    @Nullable Object to(String method);
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            SharedSessionTest.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answer.to(method.getName())));
  }

  private DataSource dataSource() {
    return proxy(
        DataSource.class,
        any -> {
          opened.add(new Fake());
          return opened.get(opened.size() - 1).connection();
        });
  }

  @Test
  void itIsClosedByTheLastThatClosesIt() throws SQLException {
    Connection first = session.getConnection();
    Connection second = session.getConnection();
    first.close();
    first.close(); // which counts once
    assertThat(opened).hasSize(1);
    assertThat(opened.get(0).isClosed).isFalse();
    second.close();
    assertThat(opened.get(0).isClosed).isTrue();
  }

  @Test
  void oneThatWasAbortedIsFollowedByAnotherWithUsersOfItsOwn() throws SQLException {
    Connection lost = session.getConnection();
    Connection alsoLost = session.getConnection();
    lost.abort(Runnable::run);
    Connection next = session.getConnection();
    assertThat(opened).hasSize(2);
    alsoLost.close(); // of the first: it ends nothing of the second
    assertThat(opened.get(1).isClosed).isFalse();
    next.close();
    assertThat(opened.get(1).isClosed).isTrue();
  }
}
