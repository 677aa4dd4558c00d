// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.frontier.Snapshot;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * PostgreSQL's {@code pg_snapshot} as text: the lowest id that is still running, the one after the
 * highest that has ended, and those in between that are running, such as {@code 10:20:10,14,15}.
 */
final class SnapshotText {

  /** The statement's own snapshot. */
  static final String CURRENT = "pg_current_snapshot()::text";

  private SnapshotText() {}

  static Snapshot read(String text) {
    String[] parts = text.split(":", -1);
    Set<Long> running =
        parts[2].isEmpty()
            ? Set.of()
            : Stream.of(parts[2].split(",", -1)).map(Long::valueOf).collect(Collectors.toSet());
    return new Snapshot(Long.parseLong(parts[1]), running);
  }
}
