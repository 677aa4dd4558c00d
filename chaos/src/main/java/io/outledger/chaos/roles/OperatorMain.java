// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.chaos.history.History;
import io.outledger.jdbc.Outledger;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A process that does what an operator may do to the running shop, one thing after the other. */
public final class OperatorMain {

  private static final long PAUSE_MS = 500;

  private OperatorMain() {}

  /** Runs until it is stopped, which lets it do what it has begun, or killed. */
  public static void main(String... args) {
    RoleSettings settings = RoleSettings.of(args);
    Outledger outledger = Outledger.builder(settings.dataSource()).build();
    Operator operator =
        new Operator(
            settings,
            outledger,
            History.open(settings.history()),
            new SplittableRandom(settings.seed()));
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    Future<?> running =
        thread.scheduleWithFixedDelay(operator, PAUSE_MS, PAUSE_MS, TimeUnit.MILLISECONDS);
    RoleSettings.onStop(() -> stop(thread, running, operator, outledger));
    RoleSettings.say(RoleSettings.READY);
  }

  private static void stop(
      ScheduledExecutorService thread, Future<?> running, Operator operator, Outledger outledger) {
    if (running.isDone()) {
      RoleSettings.say("the operator has ended by itself");
    }
    thread.shutdown();
    try {
      if (thread.awaitTermination(20, TimeUnit.SECONDS)) {
        operator.settle();
      } else {
        RoleSettings.say("what was begun did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    outledger.close();
  }
}
