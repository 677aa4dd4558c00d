// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a statement's snapshot says of transactions. PostgreSQL's {@code pg_snapshot} as text is the
 * lowest id that is still running, the one after the highest that has ended, and those in between
 * that are running, such as {@code 10:20:10,14,15}.
 *
 * @param horizon every transaction with an id below this one had ended
 * @param running those with an id that had not ended; not those that an id was given to after any
 *     that had ended
 */
record Snapshot(long horizon, Set<Long> running) {

  /** The statement's own snapshot, as text. */
  static final String TEXT = "pg_current_snapshot()::text";

  static Snapshot of(String text) {
    String[] parts = text.split(":", -1);
    Set<Long> running =
        parts[2].isEmpty()
            ? Set.of()
            : Stream.of(parts[2].split(",", -1)).map(Long::valueOf).collect(Collectors.toSet());
    return new Snapshot(Long.parseLong(parts[0]), running);
  }
}
