// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.testing.RecordingPublisher;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The end of a test closes everything, also where a part of it cannot be closed. */
final class OutledgerExtensionEndIT {

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicBoolean nextCloseFails = new AtomicBoolean();

  @Test
  @SuppressWarnings("NullAway") // the extension does not look at the test's context
  void relayThatCannotBeClosedLeavesNoOtherOpen() {
    OutledgerExtension extension =
        OutledgerExtension.on(() -> counted(database()))
            .relay("one", relay -> relay.to(new RecordingPublisher()))
            .relay("two", relay -> relay.to(new RecordingPublisher()));
    extension.beforeEach(null);
    Outledger outledger = extension.outledger();
    nextCloseFails.set(true);

    assertThatThrownBy(() -> extension.afterEach(null)).isInstanceOf(StoreException.class);

    assertThat(open).hasValue(1); // that one
    assertThatThrownBy(
            () -> outledger.outbox().inNewTransaction(Message.to("orders", "placed").build()))
        .hasMessageContaining("OUT-026");
  }

  private static DataSource database() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:end;DB_CLOSE_DELAY=-1");
    return database;
  }

  /** A data source that counts its connections, one of which cannot be closed. */
  private DataSource counted(DataSource database) {
    return proxy(
        DataSource.class,
        (method, arguments) ->
            method.getReturnType() == Connection.class
                ? counted((Connection) Objects.requireNonNull(call(database, method, arguments)))
                : call(database, method, arguments));
  }

  private Connection counted(Connection connection) {
    open.incrementAndGet();
    return proxy(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("close")) {
            if (nextCloseFails.getAndSet(false)) {
              throw new SQLException("the server is gone", "08006");
            }
            open.decrementAndGet();
          }
          return call(connection, method, arguments);
        });
  }

  /** Answers a call. */
  @FunctionalInterface
  private interface Answer {
    @Nullable Object to(Method method, Object @Nullable [] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            OutledgerExtensionEndIT.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method, arguments)));
  }

  private static @Nullable Object call(Object on, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
