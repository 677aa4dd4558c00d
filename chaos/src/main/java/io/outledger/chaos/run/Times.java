// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.frontier.Frontier;
import java.util.Arrays;

/**
 * When each position first and last arrived at the broker, as plain numbers, so that millions fit.
 */
final class Times {

  /** From a time to a time, both included. */
  record Span(long fromMs, long untilMs) {
    boolean holds(long ms) {
      return ms >= fromMs && ms <= untilMs;
    }
  }

  private static final int FIRST_SIZE = 1 << 16;

  private long[] firstMs = new long[FIRST_SIZE];
  private long[] lastMs = new long[FIRST_SIZE];
  private long[] all = new long[FIRST_SIZE];
  private int count;
  private boolean isSorted = true;

  /** Takes an arrival; position 0 stands for one that is not in the ledger. */
  void add(long position, long atMs) {
    int at = Math.toIntExact(position);
    if (at >= firstMs.length) {
      firstMs = Arrays.copyOf(firstMs, Math.max(at + 1, firstMs.length * 2));
      lastMs = Arrays.copyOf(lastMs, firstMs.length);
    }
    if (count == all.length) {
      all = Arrays.copyOf(all, count * 2);
    }
    all[count] = atMs;
    count++;
    isSorted = false;
    if (at > 0 && (firstMs[at] == 0 || atMs < firstMs[at])) {
      firstMs[at] = atMs;
    }
    lastMs[at] = Math.max(lastMs[at], atMs);
  }

  /** Returns when a position arrived last, or 0 where it never did. */
  long last(long position) {
    return position < lastMs.length ? lastMs[Math.toIntExact(position)] : 0;
  }

  /** Returns when a position arrived first, or 0 where it never did. */
  long first(long position) {
    return position < firstMs.length ? firstMs[Math.toIntExact(position)] : 0;
  }

  /** Counts the positions that had arrived until then and that the frontier has not settled. */
  long unsettled(Frontier frontier, long untilMs) {
    return unsettled(frontier, new Span(1, untilMs));
  }

  /** The same of what arrived first within a span. */
  long unsettled(Frontier frontier, Span span) {
    long sum = unsettled(frontier.high() + 1, firstMs.length - 1L, span);
    long[] firsts = frontier.open().firsts();
    long[] lasts = frontier.open().lasts();
    for (int i = 0; i < firsts.length; i++) {
      sum += unsettled(firsts[i], Math.min(lasts[i], frontier.high()), span);
    }
    return sum;
  }

  /** Returns when the first record arrived at this time or later, or 0 for none. */
  long firstSince(long ms) {
    if (!isSorted) {
      all = Arrays.copyOf(all, count);
      Arrays.sort(all);
      isSorted = true;
    }
    int at = Arrays.binarySearch(all, ms);
    int next = at < 0 ? -at - 1 : at;
    return next < count ? all[next] : 0;
  }

  private long unsettled(long first, long last, Span span) {
    long sum = 0;
    for (int at = Math.toIntExact(first); at <= last && at < firstMs.length; at++) {
      sum += span.holds(firstMs[at]) ? 1 : 0;
    }
    return sum;
  }
}
