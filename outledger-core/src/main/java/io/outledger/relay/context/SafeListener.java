// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

import io.outledger.log.QuietLog;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import org.slf4j.event.Level;

/** Keeps whatever a user's listener throws away from the relay. */
final class SafeListener implements RelayListener {

  private final RelayListener listener;
  private final QuietLog log;

  SafeListener(RelayListener listener, QuietLog log) {
    this.listener = listener;
    this.log = log;
  }

  @Override
  public void on(RelayEvent event) {
    try {
      listener.on(event);
    } catch (Throwable e) {
      log.fails(Level.ERROR, "listener", () -> "threw an exception; the relay continues", e);
    } finally {
      UserCode.clearInterrupt();
    }
  }
}
