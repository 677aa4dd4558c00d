// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Printable;
import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The handling of one message, as a {@link ContextPropagator} is given it. It keeps its outcome
 * itself, so that nobody in between can change what becomes of the message. For one thread.
 */
final class HandledOnce<R extends @Nullable Object> implements ContextPropagator.Handling {

  private static final QuietLog LOG =
      new QuietLog(ContextPropagator.class, "context", TimeSource.system());

  private final Callable<R> handling;
  private final Thread owner = Thread.currentThread();
  private @Nullable Callable<R> done;
  private @Nullable Throwable failure;
  private boolean hasBegun;

  HandledOnce(Callable<R> handling) {
    this.handling = handling;
  }

  @Override
  public void run() throws Exception {
    if (Thread.currentThread() != owner) {
      throw new IllegalStateException("a message must be handled on the thread of its restore");
    }
    if (hasBegun) {
      throw new IllegalStateException("a message must be handled once for each restore");
    }
    hasBegun = true;
    try {
      R result = handling.call();
      done = () -> result;
    } catch (Throwable e) { // an Error, too
      failure = e;
      throw e;
    }
  }

  /**
   * Returns the handling's result, or throws what it has thrown.
   *
   * @param thrown what the propagator has thrown; null where it returned
   */
  R outcome(ContextPropagator propagator, @Nullable Throwable thrown) throws Exception {
    Callable<R> result = done;
    if (result != null) {
      if (thrown != null) {
        LOG.fails(
            Level.WARN,
            "after",
            () -> Printable.value(propagator.getClass().getName()) + " failed after a message",
            thrown);
      }
      return result.call();
    }
    Throwable first = failure == null ? thrown : failure;
    if (first == null) {
      throw new IllegalStateException(
          propagator.getClass().getName() + ".restore has returned, and has not run the handling");
    }
    if (thrown != null && thrown != first) {
      first.addSuppressed(thrown);
    }
    if (first instanceof Error error) {
      throw error;
    }
    throw (Exception) first;
  }
}
