// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.relay.context.Wakeup;
import io.outledger.time.TimeSource;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** When a mover looks. */
class RunningMoverIT {

  private static final int SCHEDULED = 50;
  private static final Duration APART = Duration.ofMillis(20);

  private final JdbcDataSource dataSource = new JdbcDataSource();
  private final Wakeup pause = new Wakeup(); // which nobody ends early
  private final AtomicInteger looks = new AtomicInteger();
  private final DataSource counting =
      (DataSource)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {DataSource.class},
              (proxy, method, arguments) -> {
                looks.incrementAndGet();
                return method.invoke(dataSource, arguments);
              });

  /** It looks once a second, however long that takes here, and not for each of them. */
  @Test
  void messagesThatAreDueMuchLaterDoNotWakeIt() throws Exception {
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID());
    dataSource.setUser("sa");
    try (Connection keptOpen = dataSource.getConnection()) {
      Schema.of(dataSource, "PUBLIC").apply(dataSource);
      ScheduledMover mover =
          new ScheduledMover(
              Databases.find(dataSource, null), counting, TimeSource.system(), () -> {});
      long began = System.nanoTime();
      try (RunningMover running = RunningMover.start(mover, TimeSource.system())) {
        for (int i = 0; i < SCHEDULED; i++) {
          running.scheduled(Delivery.after(Duration.ofHours(1)));
          pause.await(APART);
        }
      }
      long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
      assertThat(looks).hasValueLessThanOrEqualTo((int) seconds + 2);
      assertThat(keptOpen.isClosed()).isFalse();
    }
  }
}
