// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.store.LeaseGrant.BlockedKey;
import io.outledger.store.ParkedState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sums up parked rows by the keys that they block. */
final class BlockedKeys {

  private record RouteKey(String route, String key) {}

  private BlockedKeys() {}

  /** Returns those that wait for a row of theirs. */
  static List<BlockedKey> waiting(List<ParkedRow> rows) {
    return of(rows).stream().filter(key -> key.waiting() > 0).toList();
  }

  /** Returns those whose rows are all held. */
  static List<BlockedKey> releasable(List<ParkedRow> rows, Set<String> routes, int limit) {
    return of(rows).stream()
        .filter(key -> key.waiting() == 0 && routes.contains(key.route()))
        .limit(limit)
        .toList();
  }

  private static List<BlockedKey> of(List<ParkedRow> rows) {
    Map<RouteKey, BlockedKey> blocked = new LinkedHashMap<>();
    for (ParkedRow row : rows) {
      String key = row.message().message().key();
      if (key != null && row.message().blocks()) {
        String route = row.message().route();
        long waiting = row.message().state() == ParkedState.HELD ? 0 : 1;
        long untilResumed = row.isUntilResumed() ? 1 : 0;
        blocked.merge(
            new RouteKey(route, key),
            new BlockedKey(route, key, 1, waiting, untilResumed),
            BlockedKeys::together);
      }
    }
    return List.copyOf(blocked.values());
  }

  private static BlockedKey together(BlockedKey a, BlockedKey b) {
    return new BlockedKey(
        a.route(),
        a.key(),
        a.rows() + b.rows(),
        a.waiting() + b.waiting(),
        a.untilResumed() + b.untilResumed());
  }
}
