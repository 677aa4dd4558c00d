// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.util.Collection;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The error for the name of a subscription, route or consumer that does not exist: the same code
 * and words wherever one is looked up. It lists the names that exist.
 */
public final class UnknownName {

  private static final int NAMES_MAX = 20;

  private UnknownName() {}

  /**
   * Returns the error for a subscription that does not exist.
   *
   * @param name the name that was given
   * @param known the names of all subscriptions of the ledger; the error lists up to {@value
   *     #NAMES_MAX}
   * @return an exception {@code OUT-025}
   */
  public static ConfigurationException subscription(String name, Collection<String> known) {
    Require.nonNull("name", name);
    return unknown(
        "subscription " + quoted(name),
        "subscriptions",
        known,
        "check the name and the schema; a relay creates its subscription when it starts");
  }

  /**
   * Returns the error for a route in which a position is not parked, though it is in others.
   *
   * @param name the route that was given
   * @param place the position and its subscription, for the error's text
   * @param known the routes in which it is parked; the error lists up to {@value #NAMES_MAX}
   * @return an exception {@code OUT-025}
   */
  public static ConfigurationException route(String name, String place, Collection<String> known) {
    Require.nonNull("name", name);
    Require.nonNull("place", place);
    return unknown(
        "route " + quoted(name) + " in which " + place + " is parked",
        "routes",
        known,
        "check the name and the position");
  }

  /**
   * Returns the error for a selected route that no instance has declared and no parked message has.
   *
   * @param name the route that was selected
   * @param subscription the name of the subscription
   * @param known the routes that are known; the error lists up to {@value #NAMES_MAX}
   * @return an exception {@code OUT-025}
   */
  public static ConfigurationException selectedRoute(
      String name, String subscription, Collection<String> known) {
    Require.nonNull("name", name);
    Require.nonNull("subscription", subscription);
    return unknown(
        "route " + quoted(name) + " of subscription " + quoted(subscription),
        "routes",
        known,
        "check the name; a route is known once an instance that has it has declared it");
  }

  /**
   * Returns the error for a consumer that has neither processed nor parked a message.
   *
   * @param name the name that was given
   * @param known the names of all consumers of the schema; the error lists up to {@value
   *     #NAMES_MAX}
   * @return an exception {@code OUT-025}
   */
  public static ConfigurationException consumer(String name, Collection<String> known) {
    Require.nonNull("name", name);
    return unknown(
        "consumer " + quoted(name),
        "consumers",
        known,
        "check the name and the schema; a consumer is known once it has processed or parked a"
            + " message");
  }

  private static ConfigurationException unknown(
      String what, String ofKind, Collection<String> known, String advice) {
    Require.nonNull("known", known);
    String names =
        new TreeSet<>(known)
            .stream().limit(NAMES_MAX).map(UnknownName::quoted).collect(Collectors.joining(", "));
    int more = known.size() - NAMES_MAX;
    return new ConfigurationException(
        ErrorCode.UNKNOWN_SUBSCRIPTION,
        "there is no "
            + what
            + "; known "
            + ofKind
            + ": "
            + (known.isEmpty() ? "none" : names)
            + (more > 0 ? " and " + more + " more" : "")
            + "; "
            + advice);
  }

  private static String quoted(String name) {
    return '"' + Printable.value(name) + '"';
  }
}
