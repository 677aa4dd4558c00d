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
import org.jspecify.annotations.Nullable;

/**
 * A broker in memory whose streams are the letters that its messages' ids begin with. What was not
 * acknowledged is delivered again to the next consumer. Thread-safe.
 */
final class ScriptedQueue {

  private final Deque<String> waiting = new ArrayDeque<>();
  private final List<String> unacknowledged = new ArrayList<>();
  private final List<String> kept = new ArrayList<>();
  private @Nullable Exception failure;
  private int opened;

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

  static Received message(String id) {
    return new Received("/orders", id, "orders", null, "t", 1, new byte[0], Map.of(), null, "");
  }

  private final class OpenQueue implements Deliveries<String> {

    @Override
    public List<Batch<String>> receive(Duration patience) throws Exception {
      synchronized (ScriptedQueue.this) {
        fail();
        List<Batch<String>> batches = new ArrayList<>();
        for (String id; (id = waiting.poll()) != null; unacknowledged.add(id)) {
          batches.add(new Batch<>(id.charAt(0), List.of(arrival(id))));
        }
        return batches;
      }
    }

    private static Arrival<String> arrival(String id) {
      return id.endsWith("?")
          ? new Arrival<>(
              id, 1, null, new InvalidMessageException(ErrorCode.INVALID_MESSAGE, "no message"))
          : new Arrival<>(id, 1, message(id), null);
    }

    @Override
    public void acknowledge(List<String> done) throws Exception {
      synchronized (ScriptedQueue.this) {
        fail();
        unacknowledged.removeAll(done);
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
