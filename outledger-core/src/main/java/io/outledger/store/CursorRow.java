// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The newest row of a cursor, as a standby relay reads it.
 *
 * @param n the row's number; each save adds one
 * @param incarnation the random id of the owner's start
 * @param lease how long the owner's lease is
 * @param lapsed whether the lease's end has passed on the database's clock
 * @param released whether the owner gave the lease back
 * @param lacking what is declared and the owner does not have, as far as it has said so
 * @param waits why nobody may take the lease for now, for people; null where one may
 */
public record CursorRow(
    long n,
    UUID incarnation,
    Duration lease,
    boolean lapsed,
    boolean released,
    Set<Declaration> lacking,
    @Nullable String waits) {

  private static final UUID NOBODY = new UUID(0, 0);

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public CursorRow {
    Require.nonNull("incarnation", incarnation);
    Require.nonNull("lease", lease);
    Require.nonNull("lacking", lacking);
  }

  /** Makes one whose owner lacks nothing. */
  public CursorRow(long n, UUID incarnation, Duration lease, boolean lapsed, boolean released) {
    this(n, incarnation, lease, lapsed, released, Set.of(), null);
  }

  /** Makes what stands for a cursor that is to come. */
  public static CursorRow toCome(String waits) {
    return new CursorRow(
        0, NOBODY, Duration.ZERO, true, true, Set.of(), Require.nonNull("waits", waits));
  }

  /** Returns this row as one whose lease nobody may take for now. */
  public CursorRow waiting(String why) {
    return new CursorRow(
        n, incarnation, lease, lapsed, released, lacking, Require.nonNull("why", why));
  }
}
