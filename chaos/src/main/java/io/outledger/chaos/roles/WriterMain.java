// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.chaos.history.History;
import io.outledger.jdbc.Outledger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A process that writes: several threads, each with one transaction after the other. */
public final class WriterMain {

  private static final int THREADS = 3;
  private static final long PAUSE_MS = 25;

  private WriterMain() {}

  /** Runs until it is stopped or killed. */
  public static void main(String... args) {
    RoleSettings settings = RoleSettings.of(args);
    History history = History.open(settings.history());
    Outledger outledger = Outledger.builder(settings.dataSource()).build();
    ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
    SplittableRandom random = new SplittableRandom(settings.seed());
    List<Writer> writers = new ArrayList<>();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Writer writer = new Writer(settings, outledger.outbox(), history, random.split());
      writers.add(writer);
      running.add(threads.scheduleWithFixedDelay(writer, 0, PAUSE_MS, TimeUnit.MILLISECONDS));
    }
    RoleSettings.onStop(() -> stop(threads, writers, running));
    RoleSettings.say(RoleSettings.READY);
  }

  private static void stop(
      ScheduledExecutorService threads, List<Writer> writers, List<Future<?>> running) {
    if (running.stream().anyMatch(Future::isDone)) {
      RoleSettings.say("a writer has ended by itself");
    }
    threads.shutdown();
    try {
      if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
        RoleSettings.say("a transaction did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    long committed = writers.stream().mapToLong(Writer::committed).sum();
    RoleSettings.say("committed " + committed);
  }
}
