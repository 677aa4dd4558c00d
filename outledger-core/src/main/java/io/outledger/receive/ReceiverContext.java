// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Given;
import io.outledger.time.TimeSource;
import java.util.random.RandomGenerator;

/**
 * The settings and collaborators of a receiver, apart from its source and handler.
 *
 * @param name its name in the log, such as the broker's address and group
 * @param options how failures are treated
 * @param listener who is told of events, besides the log; thread-safe
 * @param time the clock
 * @param random chance; thread-safe
 */
public record ReceiverContext(
    String name,
    ReceiverOptions options,
    ReceiverListener listener,
    TimeSource time,
    RandomGenerator random) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public ReceiverContext {
    Given.check("name", name);
    Given.check("options", options);
    Given.check("listener", listener);
    Given.check("time", time);
    Given.check("random", random);
  }

  /** Returns a copy with another listener. */
  ReceiverContext withListener(ReceiverListener value) {
    return new ReceiverContext(name, options, value, time, random);
  }

  /** Tells the listener. */
  void tell(ReceiverEvent event) {
    listener.on(event);
  }
}
