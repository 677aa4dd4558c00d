// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import io.outledger.frontier.Positions;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.LedgerMessage;
import java.util.ArrayList;
import java.util.Arrays;
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
    long room = options.window().messages() - positions.size();
    long bytes = pages.stream().mapToLong(ReadPage::bytesLeft).sum();
    int page = pageMessagesMax(options);
    boolean worthwhile =
        positions.isEmpty() || (room >= page / 4 && bytes <= options.window().bytes());
    return worthwhile ? (int) Math.min(room, page) : 0;
  }

  /** Returns how many messages a page may have: never more than the window. */
  static int pageMessagesMax(RelayOptions options) {
    return Math.min(options.polling().pageMessagesMax(), options.window().messages());
  }

  /** Takes the messages of a page, in order, and returns their positions. */
  Positions read(List<LedgerMessage> messages) {
    if (messages.isEmpty()) {
      return Positions.NONE;
    }
    ReadPage page = new ReadPage(messages);
    pages.add(page);
    positions = positions.union(page.left);
    return page.left;
  }

  void settled(Positions settled) {
    positions = positions.minus(settled);
    pages.forEach(page -> page.keep(positions));
    pages.removeIf(ReadPage::isSettled);
  }

  /**
   * A page whose messages are not all settled yet, and the bytes that they keep in memory: of those
   * that are left alone, since one that is kept back may outlast thousands.
   */
  private static final class ReadPage {
    private final long[] read;
    private final long[] bytesBefore; // those of all messages before each, and at last of all
    private Positions left;

    private ReadPage(List<LedgerMessage> messages) {
      read = new long[messages.size()];
      bytesBefore = new long[read.length + 1];
      for (int i = 0; i < read.length; i++) {
        LedgerMessage message = messages.get(i);
        read[i] = message.position();
        bytesBefore[i + 1] = bytesBefore[i] + message.bytes();
      }
      left = Positions.of(read);
    }

    private void keep(Positions unsettled) {
      left = left.intersection(unsettled);
    }

    private boolean isSettled() {
      return left.isEmpty();
    }

    private long bytesLeft() {
      long[] firsts = left.firsts();
      long[] lasts = left.lasts();
      long bytes = 0;
      for (int i = 0; i < firsts.length; i++) {
        bytes += bytesBefore[index(lasts[i]) + 1] - bytesBefore[index(firsts[i])];
      }
      return bytes;
    }

    private int index(long position) {
      return Arrays.binarySearch(read, position);
    }
  }
}
