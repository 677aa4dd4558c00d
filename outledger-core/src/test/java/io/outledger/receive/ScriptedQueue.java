// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.inbox.Received;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
  private final Set<Object> paused = new LinkedHashSet<>();
  private @Nullable Exception failure;
  private int opened;

  /** Makes messages of ids. */
  Function<String, Received> reader = ScriptedQueue::read;

  /** Whether somebody notes what cannot be read. */
  boolean notes;

  /** Whether a stream can be paused. */
  boolean pauses;

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

  /** Returns the streams that are paused. */
  synchronized List<Object> paused() {
    return List.copyOf(paused);
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
        for (Iterator<String> ids = waiting.iterator(); ids.hasNext(); ) {
          String id = ids.next();
          if (!paused.contains(id.charAt(0))) {
            ids.remove();
            unacknowledged.add(id);
            batches.add(
                new Batch<>(id.charAt(0), List.of(Arrival.read(id, 1, () -> reader.apply(id)))));
          }
        }
        return batches;
      }
    }

    @Override
    public Optional<Redelivery> redelivery() {
      return Optional.empty();
    }

    /** It gives up nothing. */
    @Override
    public Optional<DeliveryLimit> deliveryLimit() {
      return Optional.empty();
    }

    @Override
    public boolean pause(Object stream) {
      synchronized (ScriptedQueue.this) {
        assertThat(unacknowledged).anyMatch(id -> stream.equals(id.charAt(0)));
        return pauses && paused.add(stream);
      }
    }

    @Override
    public void resume(Object stream) {
      synchronized (ScriptedQueue.this) {
        assertThat(paused.remove(stream)).as("%s was paused", stream).isTrue();
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
        paused.clear();
        unacknowledged.addAll(waiting);
        waiting.clear();
        waiting.addAll(unacknowledged);
        unacknowledged.clear();
      }
    }
  }
}
