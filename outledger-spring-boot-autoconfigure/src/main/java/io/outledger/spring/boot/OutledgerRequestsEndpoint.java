// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.Outledger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint {@code outledgerrequests}: asks that parked messages be retried or
 * discarded. Off until {@code management.endpoint.outledgerrequests.access=unrestricted} is set.
 */
@Endpoint(id = "outledgerrequests", defaultAccess = Access.NONE)
public final class OutledgerRequestsEndpoint {

  private final Outledger outledger;

  OutledgerRequestsEndpoint(Outledger outledger) {
    this.outledger = outledger;
  }

  /**
   * Asks that a parked message be tried again now; returns whether there was one.
   *
   * @param route the handler; null for a subscription with one publisher
   */
  @WriteOperation
  public boolean retry(@Selector String subscription, long position, @Nullable String route) {
    return outledger.parkedMessages(subscription).retry(position, route == null ? "" : route);
  }

  /** Asks that a parked message be discarded permanently; returns whether there was one. */
  @DeleteOperation
  public boolean discard(@Selector String subscription, long position, @Nullable String route) {
    return outledger.parkedMessages(subscription).discard(position, route == null ? "" : route);
  }
}
