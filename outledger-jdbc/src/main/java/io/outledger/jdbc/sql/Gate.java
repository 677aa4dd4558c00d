// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may still fill a hole, where the database does not tell who writes: as a gate shows it, a
 * table of {@value #SLOTS} rows. A writer holds a slot of the gate from before it draws a number
 * until its transaction ends, and a look tells which slots nobody holds.
 *
 * <p>A number is of a <em>round</em>: it stands for all who drew a position before a save and have
 * not ended. A round is over once each slot was seen free in a look that was sent after the save,
 * and after that no row at a position of it was found locked: who has prepared its transaction has
 * let go of its slot. So a snapshot is not exact. It keeps the axioms of {@link Snapshot}: a save's
 * witness is above the number of its round.
 *
 * <p>At most {@value #ROUNDS_MAX} rounds are on the way. Those who come meanwhile are of one that
 * begins when one of these is over. Not thread-safe.
 */
public final class Gate {

  /** How many rows the gate has. */
  public static final int SLOTS = 16;

  /** Where a slot is never free because of a long transaction, further rounds tell nothing more. */
  private static final int ROUNDS_MAX = 8;

  private static final int ALL = (1 << SLOTS) - 1;

  /** One on the way. */
  private static final class Round {
    private final long number;
    private final long upTo;
    private int left = ALL;

    Round(long number, long upTo) {
      this.number = number;
      this.upTo = upTo;
    }
  }

  private final Deque<Round> rounds = new ArrayDeque<>();
  private @Nullable Round next;
  private long numbers = 1;

  /** Starts with no round on the way. */
  public Gate() {}

  /**
   * Takes a save that has returned.
   *
   * @param upTo the highest position that was passed before the save was sent
   * @return its witness
   */
  public long saved(long upTo) {
    Round before = next;
    next =
        before == null
            ? new Round(numbers++, upTo)
            : new Round(before.number, Math.max(before.upTo, upTo));
    return numbers++;
  }

  /** Returns whether a look would tell anything. */
  public boolean wantsLook() {
    return next != null || !rounds.isEmpty();
  }

  /**
   * Takes a look at the gate.
   *
   * @param free the slots that nobody held, as bits
   */
  public void looked(int free) {
    if (next != null && rounds.size() < ROUNDS_MAX) {
      rounds.addLast(next);
      next = null;
    }
    for (Round round : rounds) {
      round.left &= ~free;
    }
  }

  /**
   * Returns the open positions at which rows have to be looked for: those of the rounds of which
   * each slot was seen free.
   */
  public Positions toProbe(Positions open) {
    Positions found = Positions.NONE;
    for (Round round : rounds) {
      if (round.left == 0) {
        found = open.intersection(Positions.range(1, round.upTo));
      }
    }
    return found;
  }

  /** Takes that no row was locked at those positions. */
  public void probed() {
    rounds.removeIf(round -> round.left == 0);
  }

  /** Returns what is known to a poll that is sent now. */
  public Snapshot snapshot() {
    return new Snapshot(numbers, numbers(), false);
  }

  /** Returns the numbers of all rounds that are not over. */
  public Set<Long> numbers() {
    Set<Long> all = new HashSet<>();
    rounds.forEach(round -> all.add(round.number));
    if (next != null) {
      all.add(next.number);
    }
    return all;
  }
}
