// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Printable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A receiver that leaves its broker while it is paused, and comes back once its former stay there
 * has ended. Thread-safe.
 */
final class PausableReceiver implements RunningReceiver {

  private static final Logger LOG = LoggerFactory.getLogger(PausableReceiver.class);

  private final Supplier<OpenReceiver> opening;
  private volatile OpenReceiver current;
  private boolean isPaused;
  private boolean isClosed;

  PausableReceiver(Supplier<OpenReceiver> opening) {
    this.opening = opening;
    this.current = opening.get();
  }

  @Override
  public boolean isRunning() {
    return current.isRunning();
  }

  @Override
  public @Nullable Throwable failure() {
    return current.failure();
  }

  @Override
  public void pause() {
    OpenReceiver left;
    synchronized (this) {
      isPaused = true;
      left = current;
    }
    left.close(); // not under the lock: one of its handlers may close this meanwhile
  }

  @Override
  public void resume() {
    OpenReceiver former;
    synchronized (this) {
      if (!isPaused || isClosed) {
        return;
      }
      former = current;
    }
    former.close(); // waits for its end, unless it is one of its handlers that calls
    if (former.isRunning()) {
      Thread later = new Thread(() -> reopenAfter(former), "outledger-receiver-resume");
      later.setDaemon(true);
      later.start();
    } else {
      reopen(former);
    }
  }

  private void reopenAfter(OpenReceiver former) {
    try {
      former.close();
      reopen(former);
    } catch (RuntimeException e) {
      LOG.error("could not resume {}: {}", former, Printable.text(e), Printable.trace(e));
    }
  }

  private synchronized void reopen(OpenReceiver former) {
    if (isPaused && !isClosed && current == former) {
      current = opening.get();
      isPaused = false;
    }
  }

  @Override
  public void close() {
    OpenReceiver left;
    synchronized (this) {
      isClosed = true;
      left = current;
    }
    left.close();
  }

  @Override
  public String toString() {
    return current.toString();
  }
}
