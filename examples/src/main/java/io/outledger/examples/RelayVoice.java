// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;

/**
 * Says in a word on the standard output what a relay does now, for whoever started the process. A
 * real service would count the same events in its metrics.
 */
public final class RelayVoice implements RelayListener {

  /** The relay publishes now. */
  public static final String PUBLISHING = "publishing";

  /** The relay owns its subscription no longer. */
  public static final String STANDING_BY = "standing by";

  /** The destination cannot be reached; said again for each probe that fails. */
  public static final String AWAY = "destination away";

  @Override
  public void on(RelayEvent event) {
    if (event instanceof RelayEvent.LeaseTaken) {
      System.out.println(PUBLISHING);
    } else if (event instanceof RelayEvent.LeaseLost || event instanceof RelayEvent.LeaseReleased) {
      System.out.println(STANDING_BY);
    } else if (event instanceof RelayEvent.OutageMet) {
      System.out.println(AWAY);
    }
  }
}
