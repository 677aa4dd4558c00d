// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What a member of a consumer has seen of what is declared, and whether its own is among it.
 * Several threads look: one that has read before another may come after it, and must not hide that
 * somebody has ended what this member has. So each says after which look it has read, and where
 * another one has come between them, the later one counts for nothing: the next finds another
 * revision. Thread-safe.
 */
final class SeenDeclarations {

  /**
   * A look.
   *
   * @param shown what was declared
   * @param isDeclared whether this member has declared its own, and nobody had ended it
   */
  record Look(Declarations shown, boolean isDeclared) {}

  private final Declaring own;
  private final AtomicReference<Look> last =
      new AtomicReference<>(new Look(Declarations.NONE, false));

  SeenDeclarations(Declaring own) {
    this.own = own;
  }

  /** Returns the last look; whoever reads next says that it came after this one. */
  Look last() {
    return Objects.requireNonNull(last.get());
  }

  /** Takes that this member has declared its own, after a look. */
  void declared(Look before) {
    last.compareAndSet(before, new Look(before.shown(), true));
  }

  /** Takes what was shown after a look. Whoever has ended its own did not know this member. */
  void shown(Look before, Declarations shown) {
    last.compareAndSet(
        before, new Look(shown, before.isDeclared() && own.endedIn(shown).isEmpty()));
  }
}
