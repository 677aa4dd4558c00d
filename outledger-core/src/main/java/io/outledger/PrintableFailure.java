// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A failure as it is printed: the class, the printable message and the trace of another one. */
final class PrintableFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private PrintableFailure(Throwable original, @Nullable Throwable cause) {
    super(Printable.text(original), cause);
    setStackTrace(original.getStackTrace());
  }

  static PrintableFailure of(Throwable original) {
    return of(original, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  // Causes may go round in a circle: what was seen is not printed again.
  private static PrintableFailure of(Throwable original, Set<Throwable> seen) {
    seen.add(original);
    Throwable cause = original.getCause();
    PrintableFailure copy =
        new PrintableFailure(
            original, cause == null || seen.contains(cause) ? null : of(cause, seen));
    for (Throwable suppressed : original.getSuppressed()) {
      if (!seen.contains(suppressed)) {
        copy.addSuppressed(of(suppressed, seen));
      }
    }
    return copy;
  }

  // printStackTrace() prints this: the class is the original's, which the message begins with.
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return String.valueOf(getMessage());
  }
}
