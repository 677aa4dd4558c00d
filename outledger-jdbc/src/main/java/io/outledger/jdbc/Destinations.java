// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.relay.options.Route;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a relay publishes to, for people: another process may have other destinations. */
record Destinations(String subscription, List<Route> routes) {

  private static final Logger LOG = LoggerFactory.getLogger(RelayBuilder.class);

  /** Another process may have the same subscription and other destinations: only people can see. */
  void tell() {
    if (!routes.isEmpty()) {
      LOG.info(
          "subscription {} publishes to {} while this process owns it. Each process that runs it"
              + " must have the same destination, for one is active at a time",
          Printable.value(subscription),
          routes.size() == 1
              ? Printable.value(routes.get(0).publisher())
              : Printable.text(byRoute()));
    }
  }

  Map<String, String> byRoute() {
    Map<String, String> destinations = new TreeMap<>();
    routes.forEach(route -> destinations.put(route.name(), String.valueOf(route.publisher())));
    return destinations;
  }
}
