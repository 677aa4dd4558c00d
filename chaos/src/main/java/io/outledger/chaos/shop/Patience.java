// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import java.time.Duration;

/**
 * How long a run waits for a step that must come, such as a process that starts, or a server that
 * recovers. It is long: all processes share the machine, and what never comes is for the checker to
 * say.
 */
public final class Patience {

  /** For one step. */
  public static final Duration ONE_STEP = Duration.ofMinutes(5);

  private Patience() {}
}
