// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One step that makes a payload of an older version one of a newer version. Immutable; thread-safe
 * if its function is.
 *
 * @param splitName the name of the type that was split; null for a step between a type's versions
 * @param from the version of the payload that is given
 * @param to the version of the payload that comes of it
 * @param tree the class of the trees, as the serializer reads them
 * @param change changes a tree, or makes another one; null where a split payload is not of this
 *     type
 */
record Upcast<T>(
    @Nullable String splitName,
    int from,
    int to,
    Class<T> tree,
    Function<? super T, ? extends @Nullable T> change) {

  /**
   * Returns what comes of a tree; null where it is of another type.
   *
   * @param event the class of the events, for the error's text
   * @throws InvalidMessageException {@code OUT-015} if the function throws, or returns null and
   *     must not
   */
  @Nullable T applied(Object payload, Class<?> event) {
    T given = tree.cast(payload);
    T changed;
    try {
      changed = change.apply(given);
    } catch (InvalidMessageException e) {
      throw e;
    } catch (RuntimeException e) {
      // Without its text and its cause, which may quote the payload.
      throw failed(event, "threw " + e.getClass().getName() + place(e));
    }
    if (changed == null && splitName == null) {
      throw failed(event, "returned null");
    }
    return changed;
  }

  private InvalidMessageException failed(Class<?> event, String what) {
    return new InvalidMessageException(
        ErrorCode.UNREADABLE_PAYLOAD,
        "the " + this + " of " + event.getName() + " " + what + "; correct it, and retry");
  }

  /** The last line of the class that has the step: what it calls may be a library's. */
  private static String place(RuntimeException thrown) {
    List<StackTraceElement> stack = List.of(thrown.getStackTrace());
    List<String> classes = stack.stream().map(Upcast::outermostClass).toList();
    int step = classes.indexOf(Upcast.class.getName()) - 1;
    while (step > 0 && classes.get(step).startsWith("java.")) {
      step--; // of a function that was put together of others
    }
    if (step < 0) {
      return ""; // thrown elsewhere before, or without a trace
    }
    StackTraceElement line = stack.get(classes.indexOf(classes.get(step)));
    return " at " + line.getFileName() + ":" + line.getLineNumber();
  }

  private static String outermostClass(StackTraceElement frame) {
    String name = frame.getClassName();
    int inner = name.indexOf('$');
    return inner < 0 ? name : name.substring(0, inner);
  }

  /** Names it for people. */
  @Override
  public String toString() {
    return splitName == null
        ? "upcast from version " + from + " to " + to
        : "split from " + new TypeVersion(splitName, from);
  }
}
