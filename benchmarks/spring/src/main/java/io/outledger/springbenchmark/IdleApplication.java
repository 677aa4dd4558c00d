// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts an application, leaves it idle, and prints what that took: {@code started MILLIS
 * PROCESSOR_MILLIS}, then {@code idle HEAP_BYTES THREADS CONNECTIONS_IN_USE}. Then it waits to be
 * killed.
 */
public final class IdleApplication {

  private static final int COLLECTIONS = 5;
  private static final Duration BETWEEN_COLLECTIONS = Duration.ofMillis(200);

  private IdleApplication() {}

  /**
   * Starts it.
   *
   * @param application its class
   * @param arguments for how many milliseconds it is left idle
   */
  public static void main(Class<?> application, String... arguments) throws InterruptedException {
    ConfigurableApplicationContext context = SpringApplication.run(application);
    System.out.printf(
        Locale.ROOT,
        "started %d %d%n",
        ManagementFactory.getRuntimeMXBean().getUptime(),
        Duration.ofNanos(ProcessorTime.ofThread()).toMillis());
    pause(Duration.ofMillis(Long.parseLong(arguments[0])));
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      pause(BETWEEN_COLLECTIONS);
    }
    System.out.printf(
        Locale.ROOT,
        "idle %d %d %d%n",
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        inUse(context.getBean(DataSource.class)));
    pause(Duration.ofDays(1));
  }

  private static int inUse(DataSource pool) {
    return ((HikariDataSource) pool).getHikariPoolMXBean().getActiveConnections();
  }

  private static void pause(Duration duration) throws InterruptedException {
    if (new CountDownLatch(1).await(duration.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("nobody counts down");
    }
  }
}
