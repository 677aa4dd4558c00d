// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.store.LedgerMessage;
import java.util.ArrayList;
import java.util.List;

/** The messages that have been read and are not settled, and the memory that they take. */
final class ReadWindow {

  private final List<ReadPage> pages = new ArrayList<>();
  private Positions positions = Positions.NONE;

  Positions positions() {
    return positions;
  }

  /**
   * Returns how many messages may be read now. While messages are in flight small pages are not
   * worth a poll, so there is no room until a good part of a page fits.
   */
  int room(RelayOptions options) {
    long room = options.windowMessages - positions.size();
    long bytes = pages.stream().mapToLong(ReadPage::bytes).sum();
    boolean worthwhile =
        positions.isEmpty()
            || (room >= options.pageMessagesMax / 4 && bytes <= options.windowBytes);
    return worthwhile ? (int) Math.min(room, options.pageMessagesMax) : 0;
  }

  /** Takes the messages of a page, and returns their positions. */
  Positions read(List<LedgerMessage> messages) {
    PositionsBuilder builder = new PositionsBuilder();
    long bytes = 0;
    for (LedgerMessage message : messages) {
      builder.add(message.position(), message.position());
      bytes += message.bytes();
    }
    Positions read = builder.build();
    if (!read.isEmpty()) {
      pages.add(new ReadPage(read, bytes));
      positions = positions.union(read);
    }
    return read;
  }

  void settled(Positions settled) {
    positions = positions.minus(settled);
    pages.removeIf(page -> page.positions().intersection(positions).isEmpty());
  }

  /** A page whose messages are not all settled yet, and the bytes that they keep in memory. */
  private record ReadPage(Positions positions, long bytes) {}
}
