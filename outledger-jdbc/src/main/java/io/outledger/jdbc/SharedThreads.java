// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handler's threads, which the partitions of a process share so that one whose handler is stuck
 * holds up itself alone: a partition uses half of them at most, and takes no second one unless one
 * is left for each partition that the process owns and that uses none. Thread-safe.
 */
final class SharedThreads {

  private static final Logger LOG = LoggerFactory.getLogger(SharedThreads.class);

  private final Executor all;
  private final int count;
  private final Map<Integer, Part> parts = new ConcurrentHashMap<>();
  private final Set<Integer> owned = new HashSet<>();

  /** Those in which something waits, in the order of their turns. */
  private final Set<Part> waiting = new LinkedHashSet<>();

  private int running;

  /**
   * Creates it.
   *
   * @param all the threads
   * @param count how many they are
   */
  SharedThreads(Executor all, int count) {
    this.all = all;
    this.count = count;
  }

  /** What a partition uses of the threads. Guarded by those. */
  private static final class Part {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private int running;
  }

  /** A task that has a thread. */
  private final class Turn implements Runnable {
    private final Part part;
    private final Runnable task;

    private Turn(Part part, Runnable task) {
      this.part = part;
      this.task = task;
    }

    @Override
    public void run() {
      try {
        task.run();
      } finally {
        end(this);
        goOn();
      }
    }
  }

  /** Returns a partition's part of them. */
  PartitionThreads of(int partition) {
    return new PartitionThreads(this, partition);
  }

  /** Notes whether the process owns a partition, so that a thread is left for it. */
  void owns(int partition, boolean isOwner) {
    synchronized (this) {
      if (isOwner) {
        owned.add(partition);
      } else {
        owned.remove(partition);
      }
    }
    try {
      begin();
    } catch (Throwable e) {
      LOG.debug("what waits goes on with the threads at work", Printable.trace(e));
    }
  }

  /**
   * Runs a task of a partition, in its turn.
   *
   * @throws java.util.concurrent.RejectedExecutionException or what else the threads throw that
   *     take none: the task is not run then
   */
  void execute(int partition, Runnable task) {
    synchronized (this) {
      Part part = part(partition);
      part.tasks.add(task);
      waiting.add(part);
    }
    try {
      begin();
    } catch (Throwable e) { // no room for another thread; what waits goes on with those at work
      if (recall(partition, given -> given == task)) {
        throw e;
      }
    }
  }

  /** Takes tasks back that have no thread yet; returns whether there were any. */
  synchronized boolean recall(int partition, Predicate<Runnable> which) {
    return part(partition).tasks.removeIf(which);
  }

  private Part part(int partition) {
    return parts.computeIfAbsent(partition, any -> new Part());
  }

  private void begin() {
    for (Turn next = next(); next != null; next = next()) {
      try {
        all.execute(next);
      } catch (Throwable e) {
        putBack(next);
        throw e;
      }
    }
  }

  /** The same by a thread that goes on itself where there is no other: nobody else would. */
  private void goOn() {
    for (Turn next = next(); next != null; next = next()) {
      if (!isQueued(next)) {
        next.run();
      }
    }
  }

  private boolean isQueued(Turn turn) {
    try {
      all.execute(turn);
      return true;
    } catch (Throwable e) {
      LOG.debug("this thread goes on, since another one cannot be had", Printable.trace(e));
      return false;
    }
  }

  private synchronized @Nullable Turn next() {
    for (Iterator<Part> turns = waiting.iterator(); turns.hasNext(); ) {
      Part part = turns.next();
      if (part.tasks.isEmpty()) {
        turns.remove();
      } else if (mayBegin(part)) {
        turns.remove();
        waiting.add(part); // the others come first now
        part.running++;
        running++;
        return new Turn(part, part.tasks.remove());
      }
    }
    return null;
  }

  private boolean mayBegin(Part part) {
    boolean isFirst = part.running == 0;
    int left = count - running;
    return left > 0 && (isFirst || (part.running < count / 2 && left > withoutThread()));
  }

  /** Returns how many partitions that are owned use no thread. */
  private int withoutThread() {
    int without = 0;
    for (int partition : owned) {
      without += part(partition).running == 0 ? 1 : 0;
    }
    return without;
  }

  /** Whoever has the next task of any partition begins it then, where nobody is at work. */
  private synchronized void putBack(Turn turn) {
    end(turn);
    turn.part.tasks.addFirst(turn.task);
    waiting.add(turn.part);
  }

  private synchronized void end(Turn turn) {
    turn.part.running--;
    running--;
  }
}
