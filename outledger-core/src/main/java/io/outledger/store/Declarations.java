// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Require;
import io.outledger.UnknownName;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is declared of a subscription or a consumer, as one snapshot shows it.
 *
 * @param revision grows by one with each change; 0 where nothing was ever declared. A snapshot that
 *     shows a revision shows all changes up to it
 * @param current what holds now, each with the revision at which it was declared last
 */
public record Declarations(long revision, Map<Declaration, Long> current) {

  /** Nothing was ever declared. */
  public static final Declarations NONE = new Declarations(0, Map.of());

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public Declarations {
    current = Map.copyOf(Require.nonNull("current", current));
  }

  /** Returns the routes that are declared now; a subscription's filter is of none. */
  public Set<String> routes() {
    return current.keySet().stream()
        .filter(declared -> declared.takes() != Declaration.Takes.FILTER)
        .map(Declaration::route)
        .collect(Collectors.toSet());
  }

  /**
   * Checks that a route is declared, if anything is.
   *
   * @param subscription the subscription's name, for the error's text
   * @throws io.outledger.ConfigurationException {@code OUT-025} if others are and it is not
   */
  public void requireRoute(String route, String subscription) {
    Require.nonNull("route", route);
    Require.nonNull("subscription", subscription);
    Set<String> known = routes();
    if (!known.isEmpty() && !known.contains(route)) {
      throw UnknownName.selectedRoute(route, subscription, known);
    }
  }
}
