// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** What is said where no connection can be had: of an exhausted pool, and of a database. */
class NoConnectionTest {

  private static final String TIMED_OUT =
      "pool - Connection is not available, request timed out after 1000ms";

  private static AbstractThrowableAssert<?, ?> refusedBy(SQLException failure) {
    DataSource refusing =
        (DataSource)
            Proxy.newProxyInstance(
                NoConnectionTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  throw failure;
                });
    return assertThatThrownBy(() -> StoreFailure.connection(refusing, "purging messages"))
        .isInstanceOf(StoreException.class)
        .satisfies(
            thrown ->
                assertThat(((StoreException) thrown).code())
                    .isEqualTo(ErrorCode.STORE_UNAVAILABLE));
  }

  @Test
  void exhaustedPoolIsNamedWithWhatToDo() {
    refusedBy(new SQLTransientConnectionException(TIMED_OUT))
        .hasMessage(
            "OUT-016 the pool had no connection to give for purging messages, because all were in"
                + " use; give it one for each relay, handler thread and request, or find what"
                + " keeps them: "
                + TIMED_OUT);
  }

  @Test
  void poolThatTimedOutBecauseNoConnectionCouldBeOpenedIsNotCalledExhausted() {
    SQLException down = new SQLException("connection refused", "08001");
    refusedBy(new SQLTransientConnectionException(TIMED_OUT, "08001", down))
        .hasMessageStartingWith("OUT-016 could not get a connection for purging messages; check")
        .hasMessageEndingWith(TIMED_OUT + ": connection refused");
    refusedBy(down).hasMessageContainingAll("check that the database is up", "connection refused");
  }
}
