// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import io.outledger.Name;
import io.outledger.Require;
import io.outledger.publish.Publisher;
import io.outledger.store.Declaration;
import java.util.Set;

/**
 * One of the ways out of a subscription. A subscription to a broker has one route with an empty
 * name; one with in-process handlers has a route for each, so that each is retried alone.
 *
 * @param name its name, which parked messages are kept under; unique in its subscription, and not
 *     to be changed while messages are parked
 * @param publisher where its messages go
 * @param accepts which messages it wants, as they stand in the ledger, before any transform, unless
 *     it says {@link Accepts#ofResult()}; others are settled without it
 */
public record Route(String name, Publisher publisher, Accepts accepts) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is neither empty nor
   *     valid, {@code OUT-021} if something is null
   */
  public Route {
    if (!"".equals(name)) {
      Name.check("route", name);
    }
    Require.nonNull("publisher of route \"" + name + '"', publisher);
    Require.nonNull("accepts of route \"" + name + '"', accepts);
  }

  /** Returns the only route of a subscription with one publisher. */
  public static Route only(Publisher publisher) {
    return new Route("", publisher, Accepts.everything());
  }

  /** Returns whether it takes every message without a condition, as {@link #only}'s route does. */
  public boolean acceptsAll() {
    return accepts == Accepts.everything();
  }

  /** Returns whether its condition is asked of what the transforms make of a message. */
  public boolean seesResult() {
    return accepts.seesResult();
  }

  /** Returns what an instance with this route declares. */
  public Set<Declaration> declared() {
    return accepts.declaredOf(name);
  }
}
