// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads of a handler: virtual ones where the application uses them. They end by themselves
 * when idle and do not keep a JVM alive.
 */
final class HandlerThreads {

  private static final long IDLE_SECONDS = 5;

  private HandlerThreads() {}

  static Executor of(String handler, int count, Environment environment) {
    String prefix = "outledger-handler-" + handler + "-";
    var threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            environment.getProperty("spring.threads.virtual.enabled", boolean.class, false)
                    && Runtime.version().feature() >= 21
                ? new VirtualThreadTaskExecutor(prefix).getVirtualThreadFactory()
                : platform(prefix));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static ThreadFactory platform(String prefix) {
    CustomizableThreadFactory factory = new CustomizableThreadFactory(prefix);
    factory.setDaemon(true);
    return factory;
  }
}
