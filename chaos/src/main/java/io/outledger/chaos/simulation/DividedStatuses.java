// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.time.TimeSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rows by which processes show that they live, with the database's time. */
final class DividedStatuses implements StatusStore {

  private final TimeSource time;
  private final Map<String, Instant> rows = new TreeMap<>();

  DividedStatuses(TimeSource time) {
    this.time = time;
  }

  @Override
  public void write(List<Entry> entries) {
    for (Entry entry : entries) {
      if (entry.status().state() == RelayStatus.State.STOPPED) {
        rows.remove(entry.instance());
      } else {
        rows.put(entry.instance(), time.now());
      }
    }
  }

  @Override
  public Map<String, Instant> seen(CursorKey key) {
    return Map.copyOf(rows);
  }
}
