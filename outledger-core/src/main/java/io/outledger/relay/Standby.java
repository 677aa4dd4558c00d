// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.store.CursorRow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells that a relay stands by: once, and again where it waits for something else. */
final class Standby {

  private final RelayContext context;
  private boolean isTold;
  private @Nullable String waits;

  Standby(RelayContext context) {
    this.context = context;
  }

  /** Tells, where it was not told yet, of a row whose lease this relay does not have. */
  void tell(CursorRow row) {
    if (!isTold || !Objects.equals(waits, row.waits())) {
      isTold = true;
      waits = row.waits();
      context.listener().on(new RelayEvent.StandsBy(waits));
    }
  }

  /** Forgets what was told: the next time is told again. */
  void ends() {
    isTold = false;
    waits = null;
  }

  /** Returns whether nobody may take the lease for now, this process no more than another. */
  boolean isForAll() {
    return waits != null;
  }
}
