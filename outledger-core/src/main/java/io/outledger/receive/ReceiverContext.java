// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Given;
import io.outledger.Printable;
import io.outledger.time.TimeSource;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a receiver is given besides source and handler.
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

  private static final Logger LOG = LoggerFactory.getLogger(ReceiverContext.class);

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

  /** Tells the listener, and keeps to itself what that throws. */
  void tell(ReceiverEvent event) {
    try {
      listener.on(event);
    } catch (Throwable e) {
      LOG.error(
          "a receiver's listener threw an exception; receiving continues", Printable.trace(e));
    }
  }
}
