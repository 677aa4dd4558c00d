// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.Printable;
import io.outledger.log.QuietLog;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.Receiver;
import io.outledger.receive.RunningRetries;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * A receiver that receives on a thread of its own. Thread-safe. After a crash the group's other
 * members take over, from what was committed. Nothing that a record, a handler or a broker does
 * ends it: where the consumer itself has failed, another one joins the group in its place.
 */
final class ReceiverThread implements OpenReceiver {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Supplier<ReceiverLoop> loops;
  private final Receiver<RecordPlace> receiver;
  private final QuietLog log;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile @Nullable ReceiverLoop loop;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable RunningRetries retries;

  private ReceiverThread(
      String name, Receiver<RecordPlace> receiver, Supplier<ReceiverLoop> loops) {
    this.loops = loops;
    this.receiver = receiver;
    this.log = receiver.log();
    this.loop = loops.get();
    this.thread = new Thread(this::run, "outledger-receiver " + Printable.value(name));
  }

  /** Starts it together with the retries of what it parks. */
  static ReceiverThread start(
      String name, Receiver<RecordPlace> receiver, Supplier<ReceiverLoop> loops) {
    ReceiverThread running = new ReceiverThread(name, receiver, loops);
    running.retries = receiver.retries().map(RunningRetries::start).orElse(null);
    running.thread.start(); // last, since a handler may close the retries
    return running;
  }

  @Override
  public boolean isRunning() {
    return thread.isAlive();
  }

  /**
   * Returns the failure that ended it; null while it runs, and if it was closed. Outages and
   * whatever records and handlers do not end it.
   */
  @Override
  public @Nullable Throwable failure() {
    return failure;
  }

  /**
   * Finishes the batch that is being received, commits, and leaves the group, so that other members
   * take over at once. Waits for the batch, and then less than ten seconds, whatever the broker
   * does; an interrupt of the caller interrupts the batch, and stays. Called by a handler on a
   * thread of this receiver, it waits for nothing. Idempotent.
   */
  @Override
  public void close() {
    stopping.countDown();
    stop(loop);
    RunningRetries running = retries;
    if (isOwnThread(running)) {
      if (running != null) {
        running.stop();
      }
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
    if (running != null) {
      running.close();
    }
    receiver.closed();
    log.tellRest();
  }

  /** Names the receiver and says whether it runs. */
  @Override
  public String toString() {
    return thread.getName() + (isRunning() ? ", running" : ", ended");
  }

  /** Says whether a handler calls this: neither of the two threads may wait for the other. */
  private boolean isOwnThread(@Nullable RunningRetries running) {
    return Thread.currentThread() == thread || (running != null && running.isOwnThread());
  }

  private static void stop(@Nullable ReceiverLoop running) {
    if (running != null) {
      running.stop();
    }
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  private void run() {
    while (!isStopping() && failure == null) {
      ReceiverLoop running = open();
      if (running != null) {
        receive(running);
        leave(running);
        loop = null;
      }
    }
    if (isStopping()) {
      receiver.closed();
    }
    log.tellRest(); // a handler that closed this did not wait
  }

  private @Nullable ReceiverLoop open() {
    ReceiverLoop running = loop;
    try {
      if (running == null) {
        running = loops.get();
        loop = running;
      }
      if (isStopping()) {
        running.stop(); // whoever closes this may have seen none
      }
    } catch (Throwable e) { // of a consumer that cannot be made now
      receiver.cannotReceive("cannot create a Kafka consumer: " + text(e), PAUSE);
      pause();
    }
    return running;
  }

  /** Receives until it is to stop, or its consumer is of no use any more. */
  private void receive(ReceiverLoop running) {
    try {
      while (!running.isStopping()) {
        step(running);
      }
    } catch (FencedInstanceIdException e) {
      failure = e;
      receiver.ended("another member has its group.instance.id: " + text(e));
    } catch (ConfigurationException e) {
      failure = e;
      receiver.ended(String.valueOf(e.getMessage()));
    } catch (Throwable e) { // the group must be able to count on this member all the same
      log.fails(Level.ERROR, "consumer", () -> "the Kafka consumer failed; replacing it", e);
      receiver.cannotReceive("the Kafka consumer failed and is replaced: " + text(e), PAUSE);
      save(running, e);
      pause();
    }
  }

  private void step(ReceiverLoop running) {
    try {
      running.step();
    } catch (WakeupException e) {
      log.say(Level.DEBUG, "woken", () -> "woken up; stops: " + running.isStopping());
    } catch (InterruptException e) {
      forgetInterrupt();
    } catch (FencedInstanceIdException e) {
      throw e;
    } catch (KafkaException e) {
      if (DecodingFailure.isPossible(e) || DecodingFailure.isPlain(e)) {
        throw e; // this consumer is of no use any more, as far as anybody knows
      }
      receiver.cannotReceive("cannot read from Kafka: " + text(e), PAUSE);
      pause();
    }
  }

  private static String text(Throwable failure) {
    return Printable.text(failure);
  }

  /** Processes what was read before the failure, and identifies the record at fault, if any. */
  private void save(ReceiverLoop running, Throwable failure) {
    attempt(
        running::processGathered,
        "could not process the records already read; they are received again");
    if (DecodingFailure.isPossible(failure)) {
      attempt(running::findStuck, "could not determine which record cannot be decoded");
    }
  }

  private void attempt(Runnable act, String otherwise) {
    try {
      act.run();
    } catch (InterruptException e) {
      forgetInterrupt();
      log.say(Level.WARN, "interrupt", () -> otherwise + ": interrupted");
    } catch (Throwable e) {
      log.fails(Level.WARN, otherwise, text(e), () -> otherwise + ": " + text(e));
    }
  }

  private void pause() {
    try {
      if (stopping.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        log.say(Level.DEBUG, "stop", () -> "stops while Kafka is unreadable");
      }
    } catch (InterruptedException e) {
      forgetInterrupt();
    }
  }

  /** An interrupt is for a batch; outside of one it means nothing, and must not stay. */
  private void forgetInterrupt() {
    Thread.interrupted();
    log.say(Level.WARN, "interrupt", () -> "interrupted; continues");
  }

  private void leave(ReceiverLoop running) {
    boolean interrupted = Thread.interrupted();
    if (interrupted) {
      log.say(Level.DEBUG, "interrupt", () -> "ignores an interrupt while it leaves the group");
    }
    try {
      running.close();
    } catch (Throwable e) {
      log.fails(
          Level.WARN, "leave", text(e), () -> "could not leave the group cleanly: " + text(e));
    }
  }
}
