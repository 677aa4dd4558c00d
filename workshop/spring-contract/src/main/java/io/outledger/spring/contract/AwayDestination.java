// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.spring.boot.RelayProgress;
import java.time.Duration;

/** The destination of a relay with the name "other", as a shop hears that it is away. */
public final class AwayDestination {

  private final RelayListener listener;

  /** Begins to be away. */
  public AwayDestination(RunningShop shop) {
    listener = shop.bean(RelayProgress.class).listener("other");
    listener.on(new RelayEvent.OutageBegan("", "refused", 1, Duration.ofSeconds(1)));
  }

  /** Is back. */
  public void isBack() {
    listener.on(new RelayEvent.OutageOver(""));
  }
}
