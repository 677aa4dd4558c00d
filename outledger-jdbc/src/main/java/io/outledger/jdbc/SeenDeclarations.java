// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.spi.ShownDeclarations;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
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
   * @param shown what was declared, and what was ended lately
   * @param nanos when that was read
   * @param isDeclared whether this member has declared its own, and nobody had ended it
   */
  record Look(ShownDeclarations shown, long nanos, boolean isDeclared) {

    /** Returns whether another look would show the same. */
    boolean isOf(long revision, long now) {
      boolean holds = shown.ended().isEmpty() || now - nanos < AGAIN.toNanos();
      return holds && shown.current().revision() == revision;
    }

    /** Returns what others handle or lately did, and this member does not. */
    Set<Declaration> lackedBy(Declaring own) {
      Set<Declaration> lacked = new LinkedHashSet<>(shown.current().current().keySet());
      lacked.addAll(shown.ended());
      lacked.removeIf(own::covers);
      return lacked;
    }
  }

  /**
   * How long what was ended counts all the same: a member that lives and has it declares it again,
   * and what comes before that must not be passed over.
   */
  static final Duration GRACE = Duration.ofSeconds(30);

  /** After which time what was ended is looked at again: the database tells when it was. */
  static final Duration AGAIN = Duration.ofSeconds(1);

  private final Declaring own;
  private final AtomicReference<Look> last =
      new AtomicReference<>(new Look(ShownDeclarations.NONE, 0, false));

  SeenDeclarations(Declaring own) {
    this.own = own;
  }

  /** Returns the last look; whoever reads next says that it came after this one. */
  Look last() {
    return Objects.requireNonNull(last.get());
  }

  /** Takes that this member has declared its own, after a look. */
  void declared(Look before) {
    last.compareAndSet(before, new Look(before.shown(), before.nanos(), true));
  }

  /**
   * Takes what was shown after a look. Whoever has ended its own did not know this member.
   *
   * @param now when it began to be read
   */
  Look shown(Look before, ShownDeclarations shown, long now) {
    boolean isDeclared = before.isDeclared() && own.endedIn(shown.current()).isEmpty();
    Look look = new Look(shown, now, isDeclared);
    last.compareAndSet(before, look);
    return look;
  }
}
