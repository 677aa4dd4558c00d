// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.jdbc.admin.MessageInfo;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.relay.Slots;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Which cursors have to do with a message: of a divided subscription, one. */
final class OwnPartitions {

  private OwnPartitions() {}

  /** Returns the cursors without those of partitions that the message is not of. */
  static List<CursorKey> of(List<CursorKey> all, MessageInfo message) {
    Map<String, Integer> counts = new HashMap<>();
    for (CursorKey each : all) {
      counts.merge(each.subscription(), 1, Integer::sum);
    }
    for (CursorKey each : all) {
      if (each.partition() == 0) { // not divided
        counts.remove(each.subscription());
      }
    }
    return all.stream()
        .filter(
            each -> {
              Integer count = counts.get(each.subscription());
              return count == null || each.partition() == slot(message, count) + 1;
            })
        .toList();
  }

  private static int slot(MessageInfo message, int count) {
    Slots slots = new Slots(Math.min(count, Slots.MAX));
    return slots.of(message.key(), UUID.fromString(message.id()));
  }
}
