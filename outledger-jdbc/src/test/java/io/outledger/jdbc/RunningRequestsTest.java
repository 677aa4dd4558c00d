// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.time.TimeSource;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunningRequestsTest {

  private final AtomicInteger looks = new AtomicInteger();

  /** Or each process would end up to a second later than it could. */
  @Test
  void lookThatWouldComeAfterCloseIsNotWaitedFor() {
    RequestExecutor executor = new RequestExecutor(database(), proxy(DataSource.class, null));
    RunningRequests running = RunningRequests.start(executor, TimeSource.system());
    running.close();
    assertThat(looks).hasValue(0);
  }

  private Database database() {
    OperatorTransactions counting =
        new OperatorTransactions() {
          @Override
          public <T> T run(Kind kind, String doing, Work<T> work) {
            looks.incrementAndGet();
            throw new IllegalStateException("no database");
          }
        };
    return proxy(Database.class, counting);
  }

  /** Returns an interface whose methods return nothing, but for one kind of result. */
  private static <T> T proxy(Class<T> type, @Nullable Object result) {
    ClassLoader ours = RunningRequestsTest.class.getClassLoader();
    return type.cast(
        Proxy.newProxyInstance(
            ours,
            new Class<?>[] {type},
            (self, method, arguments) ->
                method.getReturnType().isInstance(result) ? result : null));
  }
}
