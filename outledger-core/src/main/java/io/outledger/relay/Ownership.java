// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import java.util.Optional;
import java.util.function.Supplier;

/** Whether a relay owns its subscription: what a part of its step has come to. */
sealed interface Ownership {

  /** Returns that the lease is lost where there is a reason. */
  static Ownership unless(Optional<String> reason) {
    return reason.<Ownership>map(Lost::new).orElse(Held.IT);
  }

  /** Goes on with the next part of the step, unless the ownership has ended. */
  default Ownership then(Supplier<Ownership> next) {
    return this instanceof Held ? next.get() : this;
  }

  /** Returns the state of a relay whose step has come to this. */
  default StepReport.State state() {
    if (this instanceof Held) {
      return StepReport.State.OWNER;
    }
    return this instanceof Released ? StepReport.State.RELEASED : StepReport.State.STANDBY;
  }

  /** The lease is held. */
  record Held() implements Ownership {
    static final Held IT = new Held();
  }

  /** The lease was given back, with nothing in flight. */
  record Released() implements Ownership {}

  /** Somebody else may have the lease, for a reason. */
  record Lost(String reason) implements Ownership {}
}
