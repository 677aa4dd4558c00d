// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Require;
import java.util.List;

/**
 * Deliveries of one stream, in its order.
 *
 * @param stream what keeps an order and can be paused, such as a partition or a queue; compared by
 *     {@code equals}
 * @param arrivals the deliveries, one or more
 * @param <P> the broker's places
 */
public record Batch<P>(Object stream, List<Arrival<P>> arrivals) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public Batch {
    Require.nonNull("stream", stream);
    Require.nonNull("arrivals", arrivals);
  }
}
