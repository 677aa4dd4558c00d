// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import java.time.Duration;

/**
 * The result of one step of a relay.
 *
 * @param state what the relay is after the step
 * @param published how many messages the saves of this step record as published
 * @param filtered how many were passed over, because no route wanted them
 * @param pending how many have been read and are not settled
 * @param nextIn how long the relay may wait before the next step, unless it is woken; zero where
 *     there is more to do at once
 */
public record StepReport(State state, int published, int filtered, long pending, Duration nextIn) {

  /** Returns the same of a relay that stands by for what it has handed over. */
  StepReport standsBy(Duration pause) {
    return new StepReport(State.STANDBY, published, filtered, pending, pause);
  }

  /** The state of a relay. */
  public enum State {
    /** Another relay owns the subscription, or owned it a moment ago. */
    STANDBY,
    /** It owns the subscription. */
    OWNER,
    /** The database failed or refuses; the relay will load again. */
    RECOVERING,
    /** It has handed its subscription over and is done. */
    RELEASED
  }
}
