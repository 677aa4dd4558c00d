// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps whatever a user's listener throws away from the relay. */
final class SafeListener implements RelayListener {

  private static final Logger LOG = LoggerFactory.getLogger(SafeListener.class);

  private final RelayListener listener;

  SafeListener(RelayListener listener) {
    this.listener = listener;
  }

  @Override
  public void on(RelayEvent event) {
    try {
      listener.on(event);
    } catch (Throwable e) {
      UserCode.log(LOG, "a relay listener threw an exception; the relay continues", e);
    } finally {
      UserCode.clearInterrupt();
    }
  }
}
