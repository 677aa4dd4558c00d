// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.inbox.Received;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A broker in memory whose streams are the letters that its messages' ids begin with. What was not
 * acknowledged is delivered again to the next consumer. Thread-safe.
 */
final class ScriptedQueue {

  private final Deque<String> waiting = new ArrayDeque<>();
  private final List<String> unacknowledged = new ArrayList<>();
  private final List<String> kept = new ArrayList<>();
  private final List<String> noted = new ArrayList<>();
  private @Nullable Exception failure;
  private int opened;

  /** Makes messages of ids. */
  Function<String, Received> reader = ScriptedQueue::read;

  /** Whether somebody notes what cannot be read. */
  boolean notes;

  synchronized void add(String... ids) {
    waiting.addAll(List.of(ids));
  }

  /** Makes the next call of any consumer fail. */
  synchronized void failOnce(Exception with) {
    failure = with;
  }

  synchronized boolean isDone() {
    return waiting.isEmpty() && unacknowledged.isEmpty();
  }

  synchronized int opened() {
    return opened;
  }

  synchronized List<String> unacknowledged() {
    return List.copyOf(unacknowledged);
  }

  /** Returns what a consumer has said that it is still working on, last. */
  synchronized List<String> kept() {
    return List.copyOf(kept);
  }

  synchronized Deliveries<String> open() throws Exception {
    fail();
    opened++;
    return new OpenQueue();
  }

  private void fail() throws Exception {
    Exception thrown = failure;
    if (thrown != null) {
      failure = null;
      throw thrown;
    }
  }

  /** Returns the reasons why what was noted could not be read. */
  synchronized List<String> noted() {
    return List.copyOf(noted);
  }

  static Received read(String id) {
    if (id.endsWith("?")) {
      throw new InvalidMessageException(ErrorCode.INVALID_MESSAGE, "no message");
    }
    return new Received("/orders", id, "orders", null, "t", 1, new byte[0], Map.of(), null, "", "");
  }

  private final class OpenQueue implements Deliveries<String> {

    @Override
    public List<Batch<String>> receive(Duration patience) throws Exception {
      synchronized (ScriptedQueue.this) {
        fail();
        List<Batch<String>> batches = new ArrayList<>();
        for (String id; (id = waiting.poll()) != null; unacknowledged.add(id)) {
          String each = id;
          batches.add(
              new Batch<>(id.charAt(0), List.of(Arrival.read(id, 1, () -> reader.apply(each)))));
        }
        return batches;
      }
    }

    @Override
    public void acknowledge(List<String> done) throws Exception {
      synchronized (ScriptedQueue.this) {
        fail();
        unacknowledged.removeAll(done);
      }
    }

    @Override
    public void setAside(Arrival<String> unreadable) throws Exception {
      if (!notes) {
        Deliveries.super.setAside(unreadable);
      }
      synchronized (ScriptedQueue.this) {
        noted.add(Objects.requireNonNull(unreadable.problem()).getMessage());
      }
    }

    @Override
    public void keep(List<String> held) {
      synchronized (ScriptedQueue.this) {
        kept.clear();
        kept.addAll(held);
      }
    }

    @Override
    public void close() {
      synchronized (ScriptedQueue.this) {
        unacknowledged.addAll(waiting);
        waiting.clear();
        waiting.addAll(unacknowledged);
        unacknowledged.clear();
      }
    }
  }
}
