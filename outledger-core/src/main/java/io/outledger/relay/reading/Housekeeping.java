// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.store.RelayStore;

/** An owner's occasional work: proofs by lock, checks of the preconditions, old cursor rows. */
final class Housekeeping {

  private static final long WRITERS_NANOS = 1_000_000_000L;
  // A delete of many rows costs what one of few does, and a drain of a backlog is left alone.
  private static final long PURGE_SAVES = 1_000;
  private static final long PURGE_NANOS = 60_000_000_000L;
  private static final long CHECK_NANOS = 30_000_000_000L;
  private static final long ALARM_NANOS = 10_000_000_000L;

  private final RelayStore store;
  private final RelayContext context;
  private long writersAt;
  private long purgeAt;
  private long purgedTo;
  private long checkAt;
  private long alarmAt;
  private boolean frontierChanged;
  private boolean isTooManyOpen;

  Housekeeping(RelayStore store, RelayContext context, long now, long n) {
    this.store = store;
    this.context = context;
    this.writersAt = now + WRITERS_NANOS;
    this.purgeAt = now + PURGE_NANOS;
    this.purgedTo = n;
    this.checkAt = now + CHECK_NANOS;
    this.alarmAt = now;
  }

  /**
   * Notes that the frontier has moved without a message settled, so that it is saved all the same.
   */
  void frontierChanged() {
    frontierChanged = true;
  }

  boolean wantsSave() {
    return frontierChanged;
  }

  void saved() {
    frontierChanged = false;
  }

  /**
   * Does the work that is due. Returns whether it asked the store for the ledger's writers: a page
   * that was read before that proves nothing and must be read again.
   */
  boolean keep(Progress progress, long n) {
    long now = context.time().nanoTime();
    boolean looks = false;
    if (now - writersAt >= 0) {
      writersAt = now + WRITERS_NANOS;
      looks = progress.wantsWriters();
    }
    if (looks) {
      progress.writers(store.writers());
    }
    if (n - purgedTo >= PURGE_SAVES || now - purgeAt >= 0) {
      purgeAt = now + PURGE_NANOS;
      purgedTo = n;
      store.purgeCursor(n);
    }
    if (now - checkAt >= 0) {
      checkAt = now + CHECK_NANOS;
      store.checkPreconditions(progress.high());
    }
    return looks;
  }

  /**
   * Reports, at most every ten seconds, that reading has stopped because too many positions are
   * open.
   */
  void tooManyOpen(int ranges) {
    long now = context.time().nanoTime();
    if (now - alarmAt >= 0) {
      alarmAt = now + ALARM_NANOS;
      isTooManyOpen = true;
      context.listener().on(new RelayEvent.TooManyOpen(ranges, store.blockers()));
    }
  }

  /** Reports, once after {@link #tooManyOpen} has reported, that reading has resumed. */
  void fewEnoughOpen(int ranges) {
    if (isTooManyOpen) {
      isTooManyOpen = false;
      context.listener().on(new RelayEvent.ReadsOn(ranges));
    }
  }
}
