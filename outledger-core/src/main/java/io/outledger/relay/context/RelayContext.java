// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

import io.outledger.log.QuietLog;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.RelayOptions;
import io.outledger.time.TimeSource;
import java.util.random.RandomGenerator;

/** The collaborators that every part of a relay is given. */
public record RelayContext(
    RelayOptions options,
    TimeSource time,
    RandomGenerator random,
    RelayListener listener,
    Wakeup wakeup,
    ReadAhead readAhead) {

  /** Keeps whatever the listener throws away from the relay. */
  public RelayContext {
    listener = new SafeListener(listener, new QuietLog(SafeListener.class, "relay listener", time));
  }
}
