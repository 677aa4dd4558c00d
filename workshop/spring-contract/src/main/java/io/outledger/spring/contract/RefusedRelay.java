// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.spring.boot.RelayProgress;

/** A relay whose database does not meet a condition, as the health indicator hears of it. */
public final class RefusedRelay {

  private RefusedRelay() {}

  /** Tells of it. */
  public static void tell(RelayProgress progress, String relay) {
    progress.listener(relay).on(new RelayEvent.Refused("OUT-009 is replicated into"));
  }

  /** Tells that one of the same name is started instead. */
  public static void replace(RelayProgress progress, String relay) {
    progress.listener(relay);
  }
}
