// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.time.TimeSource;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * One session: sends messages in transactions, on a thread of its own, which may wait for the
 * broker for as long as it likes: another one watches the time. Whatever is wrong with the
 * connection ends the client, since what follows must not be sent before what failed.
 */
final class JmsClient {

  private static final int BATCH_MAX = 100;
  private static final int BATCH_BYTES_MAX = 1 << 20;
  static final Duration END_MAX = Duration.ofSeconds(2);

  private final JmsPublisher publisher;
  private final Duration timeMax;
  private final Outcomes outcomes;
  private final TimeSource time = TimeSource.system();
  private final JmsBinding binding;
  private final Thread sender = new Thread(this::run, "outledger-jms");
  private final ScheduledThreadPoolExecutor deadlines =
      new ScheduledThreadPoolExecutor(1, JmsClient::deadlineThread);
  private final Deque<Handed> handed = new ArrayDeque<>(); // guarded by this, as all below
  private final Map<Long, Message> unanswered = new LinkedHashMap<>(); // as they were handed over
  private final Refusals refusals = new Refusals();
  private boolean isHandingOver;
  private @Nullable Outcome end;
  private volatile @Nullable JmsConnection
      connection; // the sender's own, which another thread may cut

  /** What is being sent: it holds the sender up where that takes long. */
  private volatile @Nullable Handed sending;

  /** A message on its way. */
  private record Handed(long position, Message message, long untilNanos) {}

  JmsClient(JmsPublisher publisher, Duration timeMax, Outcomes outcomes) {
    this.publisher = publisher;
    this.timeMax = timeMax;
    this.outcomes = outcomes;
    this.binding = new JmsBinding(publisher.sourceUri(), publisher.bytesMax());
    deadlines.setRemoveOnCancelPolicy(true);
    sender.setDaemon(true);
    sender.start();
  }

  private static Thread deadlineThread(Runnable task) {
    Thread thread = new Thread(task, "outledger-jms deadlines");
    thread.setDaemon(true);
    return thread;
  }

  synchronized void publish(long position, Message message) {
    isHandingOver = true;
    unanswered.put(position, message);
    Outcome known = end == null ? refusals.before(message) : end;
    if (known != null) {
      answer(position, known);
      return;
    }
    handed.add(new Handed(position, message, time.nanoTime() + timeMax.toNanos()));
    notifyAll();
  }

  /**
   * The sender takes what is there. What was refused so far is known to the relay before it hands
   * over more, so that it holds what follows by itself.
   */
  synchronized void flush() {
    isHandingOver = false;
    refusals.forget();
  }

  /** Reports what has no outcome; afterwards it commits nothing more than what it is committing. */
  void end() {
    end("the relay closed its publisher");
  }

  /** Waits until what it is committing is sent or never will be, and no longer than until then. */
  void awaitEnd(long untilNanos) {
    if (Thread.currentThread() != sender) {
      try {
        sender.join(Math.max(1, NANOSECONDS.toMillis(untilNanos - time.nanoTime())));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (sender.isAlive()) {
        cut();
      }
    }
    deadlines.shutdownNow();
  }

  /**
   * Ends the connection under a sender that still waits for the broker, as for room in a full
   * queue: it would wait as long as that takes, and so would the sender of the next client. Beside
   * the caller, since that may wait, too. A sender that still waits for its connection is woken: it
   * may hold the connection factory's lock, as Artemis's does, without which no other connects.
   */
  private void cut() {
    if (connection == null) {
      sender.interrupt();
    }
    Thread cutting = new Thread(this::closeLine, "outledger-jms end");
    cutting.setDaemon(true);
    cutting.start();
  }

  private void run() {
    try {
      sendAll();
    } finally {
      end("the publisher's thread has ended");
      closeLine();
    }
  }

  private void sendAll() {
    List<Handed> batch = next();
    while (!batch.isEmpty()) {
      Future<?> deadline =
          deadlines.schedule(
              this::giveUp, batch.get(0).untilNanos() - time.nanoTime(), NANOSECONDS);
      try {
        send(batch);
      } catch (Throwable e) { // nobody else would ever report an outcome
        end("the connection to " + publisher.broker() + " was refused or failed: " + e);
      } finally {
        deadline.cancel(false);
      }
      batch = next();
    }
  }

  /** Waits for messages, and returns those that go into one transaction; empty at the end. */
  private synchronized List<Handed> next() {
    try {
      while (handed.isEmpty() && end == null) {
        wait();
      }
    } catch (InterruptedException e) {
      end("the thread of the publisher was interrupted");
    }
    List<Handed> batch = new ArrayList<>();
    long bytes = 0;
    while (end == null && batch.size() < BATCH_MAX && bytes < BATCH_BYTES_MAX) {
      Handed one = handed.poll();
      if (one == null) {
        break;
      }
      bytes += one.message().payload().length;
      batch.add(one);
    }
    return batch;
  }

  private void send(List<Handed> batch) throws JMSException {
    JmsConnection open = connection;
    if (open == null) {
      open = JmsConnection.open(publisher);
      connection = open;
    }
    if (!sendTogether(open, batch)) {
      sendOneByOne(open, batch);
    }
  }

  private void sendOneByOne(JmsConnection open, List<Handed> batch) throws JMSException {
    for (Handed one : batch) {
      if (isUnanswered(one)) {
        Outcome outcome = sendAlone(open, one);
        if (outcome != null) {
          settle(one, outcome);
        }
      }
    }
  }

  /** Answers a message that was sent alone, and all behind it that must not be sent any more. */
  private synchronized void settle(Handed one, Outcome outcome) {
    answer(one.position(), outcome);
    refusals.note(one.message(), outcome);
    if (!refusals.isEmpty()) {
      for (Map.Entry<Long, Message> each : List.copyOf(unanswered.entrySet())) {
        Outcome before = refusals.before(each.getValue());
        if (before != null) {
          answer(each.getKey(), before);
        }
      }
      handed.removeIf(next -> !isUnanswered(next));
    }
    if (!isHandingOver) {
      refusals.forget();
    }
  }

  /** Returns whether all were sent or refused; if not, the broker has none of them. */
  private boolean sendTogether(JmsConnection open, List<Handed> batch) throws JMSException {
    List<Handed> sent = new ArrayList<>();
    try {
      for (Handed one : batch) {
        if (sendOrRefuse(open, one)) {
          sent.add(one);
        }
      }
    } catch (JMSException e) {
      open.rollBack(e);
      return false;
    }
    JMSException refusal = commit(open);
    if (refusal != null) {
      open.rollBack(refusal);
      return false;
    }
    // Without the refused ones, which the relay may have handed over again by now.
    sent.forEach(one -> answer(one.position(), Outcome.PUBLISHED));
    return true;
  }

  /** Returns what became of a message; null where it cannot be sent, and was answered. */
  private @Nullable Outcome sendAlone(JmsConnection open, Handed one) throws JMSException {
    String topic = one.message().topic();
    try {
      if (!sendOrRefuse(open, one)) {
        return null;
      }
    } catch (JMSException e) {
      open.rollBack(e);
      return JmsConnection.outcome(topic, e);
    }
    JMSException refusal = commit(open);
    if (refusal == null) {
      return Outcome.PUBLISHED;
    }
    open.rollBack(refusal);
    return JmsConnection.outcome(topic, refusal);
  }

  /** Returns whether a message was sent; one that cannot be is answered. */
  private boolean sendOrRefuse(JmsConnection open, Handed one) throws JMSException {
    try {
      sending = one;
      open.send(
          one.message().topic(), binding.write(open.session(), one.position(), one.message()));
      return true;
    } catch (InvalidMessageException e) {
      String reason = String.valueOf(e.getMessage());
      boolean isTooLarge = e.code() == ErrorCode.PAYLOAD_TOO_LARGE; // for the limit that is set
      answer(one.position(), isTooLarge ? Outcome.rejected(reason) : Outcome.refused(reason));
      return false;
    } finally {
      sending = null; // it waits for the commit, with all others
    }
  }

  /** Commits, unless this client has ended: then the outcomes were already reported. */
  private @Nullable JMSException commit(JmsConnection open) throws JMSException {
    synchronized (this) {
      if (end != null) {
        throw new JMSException("the publisher has ended");
      }
    }
    return open.commit();
  }

  private void closeLine() {
    JmsConnection open = connection;
    try {
      if (open != null) {
        open.close();
      }
    } catch (JMSException e) {
      connection = null; // the broker ends it, or has
    }
  }

  /**
   * Ends what takes too long, as where a broker holds up a sender whose queue is full. Nothing of
   * it took effect but what was being committed, since this client commits nothing once it has
   * ended.
   */
  private synchronized void giveUp() {
    String reason =
        "%s has not taken it within %s; where it takes those to others, see whether the queue is"
                .formatted(publisher.broker(), Printable.about(timeMax))
            + " full";
    Handed held = sending;
    if (held != null && end == null) {
      answer(held.position(), Outcome.unanswered(reason));
    }
    end(reason);
  }

  private synchronized void end(String reason) {
    if (end == null) {
      Outcome outcome = Outcome.unavailable(reason);
      end = outcome;
      handed.clear();
      List.copyOf(unanswered.keySet()).forEach(position -> answer(position, outcome));
      notifyAll();
    }
  }

  private synchronized boolean isUnanswered(Handed one) {
    return unanswered.containsKey(one.position());
  }

  /** Under the lock, so that nothing is reported any more when a close has returned. */
  private synchronized void answer(long position, Outcome outcome) {
    if (unanswered.remove(position) != null) {
      outcomes.report(position, outcome);
    }
  }
}
