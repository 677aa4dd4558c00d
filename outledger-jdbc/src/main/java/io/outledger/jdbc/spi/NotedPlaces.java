// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.util.List;

/**
 * Where an operator's request was noted, in one step.
 *
 * @param <P> where a message is parked
 * @param places at which messages
 * @param last the last place that was looked at
 * @param isEnd whether none is behind that one
 */
public record NotedPlaces<P>(List<P> places, P last, boolean isEnd) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public NotedPlaces {
    Require.nonNull("places", places);
    Require.nonNull("last", last);
  }
}
