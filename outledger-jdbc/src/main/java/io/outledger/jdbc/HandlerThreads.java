// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that run one handler of a relay. They end by themselves when idle, so nobody has to
 * stop them, and do not keep a JVM alive: what a handler had not finished is handled again.
 */
final class HandlerThreads {

  private static final Duration IDLE = Duration.ofSeconds(5);

  private HandlerThreads() {}

  static Executor of(String subscription, String handler, int count) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread =
                  new Thread(
                      task,
                      "outledger-handler-"
                          + Printable.value(subscription)
                          + "-"
                          + Printable.value(handler)
                          + "-"
                          + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
