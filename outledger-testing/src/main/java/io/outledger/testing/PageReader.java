// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.frontier.PositionsBuilder;
import io.outledger.store.LedgerMessage;
import io.outledger.store.PollRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** Answers one poll from the messages visible at one moment. Used once. */
final class PageReader {

  private final PollRequest request;
  private final NavigableMap<Long, Message> visible;
  private final RowMarks marks;
  private final List<LedgerMessage> messages = new ArrayList<>();
  private final PositionsBuilder withheld = new PositionsBuilder();
  private long bytes;
  private long readTo;
  private boolean cut;

  private PageReader(PollRequest request, NavigableMap<Long, Message> visible, RowMarks marks) {
    this.request = request;
    this.visible = visible;
    this.marks = marks;
    this.readTo = request.above();
  }

  static PageReader read(PollRequest request, NavigableMap<Long, Message> visible, RowMarks marks) {
    PageReader reader = new PageReader(request, visible, marks);
    reader.readOpen();
    reader.readAbove();
    return reader;
  }

  List<LedgerMessage> messages() {
    return List.copyOf(messages);
  }

  Positions withheld() {
    return withheld.build();
  }

  long readTo() {
    return readTo;
  }

  boolean isCut() {
    return cut;
  }

  private void readOpen() {
    long[] firsts = request.open().firsts();
    long[] lasts = request.open().lasts();
    for (int i = 0; i < firsts.length; i++) {
      for (Map.Entry<Long, Message> entry :
          visible.subMap(firsts[i], true, lasts[i], true).entrySet()) {
        if (!take(entry)) {
          withheld.add(entry.getKey(), entry.getKey());
        }
      }
    }
  }

  /** Reads nothing above once a lower message was left out: it may be of the same key. */
  private void readAbove() {
    int taken = 0;
    for (Map.Entry<Long, Message> entry : visible.tailMap(request.above(), false).entrySet()) {
      if (cut || taken == request.limit() || !take(entry)) {
        cut = true;
        return;
      }
      taken++;
      readTo = entry.getKey();
    }
  }

  private boolean take(Map.Entry<Long, Message> entry) {
    LedgerMessage message = marks.read(entry.getKey(), entry.getValue());
    long size = message.bytes();
    cut = cut || (!messages.isEmpty() && bytes + size > request.bytesMax());
    if (cut) {
      return false;
    }
    bytes += size;
    messages.add(message);
    return true;
  }
}
