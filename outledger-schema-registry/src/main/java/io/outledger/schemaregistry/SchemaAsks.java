// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the schemas of ids, few at a time and in the order in which they are wanted: ids are
 * made up by anybody, and each request has a connection. Thread-safe.
 *
 * @param <S> what comes of a schema
 */
final class SchemaAsks<S> {

  /** How many are asked for at a time. */
  static final int AT_ONCE = 4;

  /** How many more may wait. */
  static final int WAITING_MAX = 1_000;

  /** Is told what became of an id. */
  @FunctionalInterface
  interface Told<S> {
    void of(int id, @Nullable SchemaState<S> state, @Nullable Throwable failure);
  }

  private final IntFunction<CompletableFuture<SchemaState<S>>> question;
  private final Told<S> told;
  private final Queue<Integer> waiting = new ArrayDeque<>(); // guarded by this
  private int asking; // as that

  /**
   * Makes one.
   *
   * @param question asks for an id
   * @param told is told of each answer
   */
  SchemaAsks(IntFunction<CompletableFuture<SchemaState<S>>> question, Told<S> told) {
    this.question = question;
    this.told = told;
  }

  /**
   * Has an id asked for, now or after others.
   *
   * @return false if too many wait, and it will not be asked for
   */
  boolean want(int id) {
    synchronized (this) {
      if (waiting.size() >= WAITING_MAX) {
        return false;
      }
      waiting.add(id);
    }
    askNext();
    return true;
  }

  private void askNext() {
    Integer id = next();
    while (id != null) {
      ask(id);
      id = next();
    }
  }

  private synchronized @Nullable Integer next() {
    Integer id = asking < AT_ONCE ? waiting.poll() : null;
    asking += id == null ? 0 : 1;
    return id;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what it leads to is told
  private void ask(int id) {
    CompletableFuture<SchemaState<S>> answer;
    try {
      answer = question.apply(id);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    // Elsewhere: a thousand answers that come at once would be nested in one another.
    answer.whenCompleteAsync((state, failure) -> answered(id, state, failure));
  }

  private void answered(int id, @Nullable SchemaState<S> state, @Nullable Throwable failure) {
    try {
      told.of(id, state, failure);
    } finally {
      synchronized (this) {
        asking--;
      }
      askNext();
    }
  }
}
