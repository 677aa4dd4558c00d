// SPDX-License-Identifier: Apache-2.0
package io.outledger.flow;

import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * One subscriber of a flow. Its signals are sent by one task at a time, which runs while there is
 * something to signal; so a subscriber that requests from within {@code onNext} recurses nowhere.
 */
final class FlowSubscription implements Flow.Subscription {

  private static final QuietLog LOG =
      new QuietLog(FlowSubscription.class, "flow", TimeSource.system());

  private final MessageFlow flow;
  private final Executor executor;
  private Flow.@Nullable Subscriber<? super FlowMessage> subscriber;
  private long demand;
  private boolean started;
  private boolean running;
  private boolean again;
  private boolean completing;
  private @Nullable Throwable failure;

  FlowSubscription(
      MessageFlow flow, Flow.Subscriber<? super FlowMessage> subscriber, Executor executor) {
    this.flow = flow;
    this.subscriber = subscriber;
    this.executor = executor;
  }

  @Override
  public void request(long n) {
    synchronized (this) {
      if (n <= 0) {
        failure =
            new IllegalArgumentException(
                "the subscriber requested " + n + " messages, but rule 3.9 requires 1 or more");
      } else {
        demand = demand + n < 0 ? Long.MAX_VALUE : demand + n;
      }
    }
    signal();
  }

  /** What was delivered may still be acknowledged. The subscriber is forgotten, by rule 3.13. */
  @Override
  public synchronized void cancel() {
    subscriber = null;
  }

  synchronized boolean isCancelled() {
    return subscriber == null;
  }

  synchronized void fail(Throwable cause) {
    failure = cause;
  }

  void complete() {
    synchronized (this) {
      completing = true;
    }
    signal();
  }

  /** Sends what there is to be sent, soon. */
  void signal() {
    synchronized (this) {
      again = true;
      if (running) {
        return;
      }
      running = true;
    }
    try {
      executor.execute(this::run);
    } catch (RejectedExecutionException e) {
      cannotRun("the flow's executor rejected the task: " + e);
    } catch (Throwable e) { // otherwise it would seem to run on, and not be called again
      cannotRun("the flow's executor failed: " + e);
    }
  }

  private void cannotRun(String reason) {
    synchronized (this) {
      running = false;
    }
    flow.cannotRun(reason);
  }

  private void run() {
    try {
      while (beginRound()) {
        sendAll();
      }
    } catch (Throwable e) { // by rule 2.13 it may throw nothing
      cancel();
      synchronized (this) {
        running = false;
      }
      LOG.fails(
          Level.ERROR,
          "subscriber",
          () ->
              "a subscriber threw an exception and was cancelled; the next subscriber gets the"
                  + " messages that it did not acknowledge",
          e);
    }
  }

  /** Begins another round where one was asked for; else notes that nobody runs any more. */
  private synchronized boolean beginRound() {
    running = again;
    again = false;
    return running;
  }

  private void sendAll() {
    Flow.Subscriber<? super FlowMessage> to = start();
    while (to != null) {
      Throwable failed = failed();
      if (failed != null) {
        cancel();
        to.onError(failed);
        return;
      }
      FlowMessage next = next();
      if (next == null) {
        completeIfAsked(to);
        return;
      }
      to.onNext(next);
      to = subscriber();
    }
  }

  private Flow.@Nullable Subscriber<? super FlowMessage> start() {
    Flow.Subscriber<? super FlowMessage> to = subscriber();
    if (to != null && !started) {
      started = true;
      to.onSubscribe(this);
      return subscriber();
    }
    return to;
  }

  private synchronized Flow.@Nullable Subscriber<? super FlowMessage> subscriber() {
    return subscriber;
  }

  private synchronized @Nullable Throwable failed() {
    return failure;
  }

  /** The flow is asked outside the lock: it asks whether this was cancelled under its own. */
  private @Nullable FlowMessage next() {
    synchronized (this) {
      if (demand == 0 || completing) {
        return null;
      }
    }
    FlowMessage next = flow.next(this);
    if (next != null) {
      synchronized (this) {
        demand--;
      }
    }
    return next;
  }

  private void completeIfAsked(Flow.Subscriber<? super FlowMessage> to) {
    boolean completes;
    synchronized (this) {
      completes = completing && subscriber != null;
    }
    if (completes) {
      cancel();
      to.onComplete();
    }
  }
}
