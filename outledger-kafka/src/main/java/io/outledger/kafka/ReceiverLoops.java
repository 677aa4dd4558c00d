// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.ConfigurationException;
import io.outledger.Printable;
import io.outledger.log.QuietLog;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceivingThread;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Receives by one consumer of a group after the other. After a crash the group's other members take
 * over, from what was committed. Nothing that a record, a handler or a broker does ends it: where
 * the consumer itself has failed, another one joins the group in its place. For its receiver's
 * thread; any thread may stop it.
 */
final class ReceiverLoops {

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Supplier<ReceiverLoop> loops;
  private final Receiver<RecordPlace> receiver;
  private final QuietLog log;
  private volatile @Nullable ReceiverLoop loop;

  private ReceiverLoops(Receiver<RecordPlace> receiver, Supplier<ReceiverLoop> loops) {
    this.loops = loops;
    this.receiver = receiver;
    this.log = receiver.log();
    this.loop = loops.get();
  }

  /**
   * Starts it. Closing what is returned finishes the batch that is being received, commits, and
   * leaves the group, so that other members take over at once; after the batch it takes less than
   * ten seconds, whatever the broker does.
   */
  static OpenReceiver start(
      String name, Receiver<RecordPlace> receiver, Supplier<ReceiverLoop> loops) {
    ReceiverLoops all = new ReceiverLoops(receiver, loops);
    return ReceivingThread.start(name, receiver, all::receive, all::stop);
  }

  private void stop() {
    ReceiverLoop running = loop;
    if (running != null) {
      running.stop();
    }
  }

  private Duration receive(ReceivingThread thread) {
    ReceiverLoop running;
    try {
      running = open(thread);
    } catch (Throwable e) { // of a consumer that cannot be made now
      receiver.cannotReceive("cannot create a Kafka consumer: " + text(e), PAUSE);
      return PAUSE;
    }
    Duration pause = receive(running, thread);
    leave(running);
    loop = null;
    return pause;
  }

  private ReceiverLoop open(ReceivingThread thread) {
    ReceiverLoop running = loop;
    if (running == null) {
      running = loops.get();
      loop = running;
    }
    if (thread.isStopping()) {
      running.stop(); // whoever closes this may have seen none
    }
    return running;
  }

  /** Receives until it is to stop, or its consumer is of no use any more. */
  private Duration receive(ReceiverLoop running, ReceivingThread thread) {
    try {
      while (!running.isStopping()) {
        step(running, thread);
      }
    } catch (FencedInstanceIdException e) {
      thread.end(e, "another member has its group.instance.id: " + text(e));
    } catch (ConfigurationException e) {
      thread.end(e, String.valueOf(e.getMessage()));
    } catch (Throwable e) { // the group must be able to count on this member all the same
      log.fails(Level.ERROR, "consumer", () -> "the Kafka consumer failed; replacing it", e);
      receiver.cannotReceive("the Kafka consumer failed and is replaced: " + text(e), PAUSE);
      save(running, e);
      return PAUSE;
    }
    return Duration.ZERO;
  }

  private void step(ReceiverLoop running, ReceivingThread thread) {
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
      thread.pause(PAUSE);
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
