// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Require;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Carries what a thread knows, such as its tenant or user, with messages: into headers when a
 * message is appended, and back around its handling, before the transaction of that begins. So a
 * connection can be chosen or prepared by it. Must be thread-safe.
 *
 * <pre>{@code
 * new ContextPropagator() {
 *   public Map<String, String> capture() {
 *     String tenant = Tenant.current();
 *     return tenant == null ? Map.of() : Map.of("tenant", tenant);
 *   }
 *
 *   public void restore(Map<String, String> headers, Handling handling) throws Exception {
 *     Tenant.set(headers.get("tenant"));
 *     try {
 *       handling.run();
 *     } finally {
 *       Tenant.clear();
 *     }
 *   }
 * };
 * }</pre>
 *
 * <p>Headers of a message that came from a broker are what its sender says: trust them as far as
 * you trust whoever may publish there.
 */
public interface ContextPropagator {

  /** Carries nothing. */
  ContextPropagator NONE =
      new ContextPropagator() {
        @Override
        public Map<String, String> capture() {
          return Map.of();
        }

        @Override
        public void restore(Map<String, String> headers, Handling handling) throws Exception {
          handling.run();
        }
      };

  /** The handling of a message, with its transaction. */
  @FunctionalInterface
  interface Handling {

    /**
     * Runs it.
     *
     * @throws Exception what the handler throws, or why its transaction did not begin or commit
     */
    void run() throws Exception;
  }

  /**
   * Returns the headers that a message gets which the calling thread appends, unless it has one of
   * the same name. What this throws reaches the caller, and nothing is appended.
   */
  Map<String, String> capture();

  /**
   * Runs the handling of a message in the context that its headers describe, on this thread and
   * exactly once, and throws what that throws. If this throws something before it runs the
   * handling, the attempt at the message has failed, as if its handler had thrown it; what it
   * throws afterwards is logged.
   *
   * @param headers those of the message; a context that they do not describe is for this to refuse
   * @param handling to be run on the same thread
   * @throws Exception what the handling throws
   */
  void restore(Map<String, String> headers, Handling handling) throws Exception;

  /**
   * Runs the handling of a message in the context that its headers describe, and returns its
   * result: Outledger's only door to {@link #restore}, not to be overridden. What the handling
   * itself has done decides, whatever this does with what it throws.
   *
   * @throws IllegalStateException if {@link #restore} has not run it, or not on this thread
   * @throws Exception what the handling throws; what {@link #restore} throws where it has not run
   *     it
   */
  default <R extends @Nullable Object> R call(Map<String, String> headers, Callable<R> handling)
      throws Exception {
    Require.nonNull("headers", headers);
    HandledOnce<R> once = new HandledOnce<>(Require.nonNull("handling", handling));
    Throwable thrown = null;
    try {
      restore(headers, once);
    } catch (Throwable e) { // an Error, too: the handling may have taken effect before
      thrown = e;
    }
    return once.outcome(this, thrown);
  }

  /**
   * Returns one that carries what this one does and another: this one's context is around the
   * other's.
   */
  default ContextPropagator and(ContextPropagator other) {
    Require.nonNull("other", other);
    ContextPropagator outer = this;
    return new ContextPropagator() {
      @Override
      public Map<String, String> capture() {
        Map<String, String> all = new TreeMap<>(other.capture());
        all.putAll(outer.capture());
        return all;
      }

      @Override
      public void restore(Map<String, String> headers, Handling handling) throws Exception {
        outer.restore(headers, () -> other.restore(headers, handling));
      }
    };
  }
}
