// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import java.time.Duration;

/**
 * Decides how the next consumer is opened. Consumers that end one after another may end at the same
 * delivery, which the broker's client cannot hand over; and brokers count each delivery, and give
 * up those that they made too often. So the next consumer has a window of one. It handles what lies
 * before the bad delivery, and what ends it falls on that delivery alone. After some deliveries the
 * window is full again: each time after twice as many, since nobody knows how far away it lies. For
 * one thread.
 */
final class Trial {

  /** What may have been an outage: a restart of the broker ends a consumer or two. */
  private static final int ENDS_MAX = 2;

  /** Enough to be rare: some brokers put what is given back then behind its followers. */
  private static final int DONE_OF_ONE = 512;

  private static final int DOUBLINGS_MAX = 4;
  private static final int DONE_OF_FULL = 1_000;
  private static final int IDLE_ENOUGH = 10;

  /**
   * So long that a consumer was open and nothing was there: it did not end because of a message.
   */
  private static final int IDLE_LONG = 600;

  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int PAUSES_MAX = 50;

  private Window window = Window.FULL;
  private int fullEnds; // of consumers with a full window that came to nothing
  private int emptyEnds; // of consumers in a row that acknowledged nothing
  private int done; // by the open consumer
  private int idle; // times in a row that the open one found nothing
  private int starved; // times in a row that a stream of it had nothing to compare with

  /** Returns what the next consumer is opened with. */
  Window window() {
    return window;
  }

  /** Returns how many consumers in a row have ended before they acknowledged anything. */
  int emptyEnds() {
    return emptyEnds;
  }

  /** Returns how long to wait before the next consumer is opened. */
  Duration pause() {
    return PAUSE.multipliedBy(Math.max(1, Math.min(PAUSES_MAX, emptyEnds)));
  }

  /**
   * Notes what a step of the open consumer has come to.
   *
   * @param acknowledged how many deliveries it has acknowledged
   * @param isIdle whether nothing came, and nothing is held
   */
  void stepped(int acknowledged, boolean isIdle) {
    done += acknowledged;
    idle = isIdle ? idle + 1 : 0;
    if (acknowledged > 0 || idle >= IDLE_LONG) {
      emptyEnds = 0;
    }
    if (window == Window.FULL && (idle >= IDLE_ENOUGH || done >= DONE_OF_FULL)) {
      fullEnds = 0;
    }
  }

  /**
   * Notes whether a stream waits for others to compare its first message with. A window of one may
   * bring none, for as long as it waits.
   */
  void waitsForOthers(boolean isSo) {
    starved = isSo ? starved + 1 : 0;
  }

  /** Returns whether a window of one has shown enough, so that the next consumer has a full one. */
  boolean isPassed() {
    int doublings = Math.min(DOUBLINGS_MAX, Math.max(0, fullEnds - ENDS_MAX));
    boolean isEnough = done >= DONE_OF_ONE << doublings || starved >= IDLE_LONG << doublings;
    return window == Window.ONE && (idle >= IDLE_ENOUGH || isEnough);
  }

  /** The consumer was closed in order to open the next one. */
  void passed() {
    window = Window.FULL;
    closed();
  }

  /** The consumer has failed. */
  void ended() {
    if (window == Window.FULL && ++fullEnds >= ENDS_MAX) {
      window = Window.ONE;
    }
    emptyEnds += done == 0 && idle < IDLE_LONG ? 1 : 0;
    closed();
  }

  private void closed() {
    done = 0;
    idle = 0;
    starved = 0;
  }
}
