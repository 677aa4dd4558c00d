// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.UnknownName;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedMessages;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The actuator endpoint {@code outledgerrequests}: asks that parked messages be retried or
 * discarded. Off until {@code management.endpoint.outledgerrequests.access=unrestricted} is set.
 */
@Endpoint(id = "outledgerrequests", defaultAccess = Access.NONE)
public final class OutledgerRequestsEndpoint {

  private final Outledger outledger;

  private final ReceiverDefinitions consumers;

  OutledgerRequestsEndpoint(Outledger outledger, ReceiverDefinitions consumers) {
    this.outledger = outledger;
    this.consumers = consumers;
  }

  /**
   * Asks that a parked message be tried again now. The answer is whether there was one; over HTTP
   * its status is 404, with the reason, where there is no such subscription, consumer or route.
   *
   * @param subscription the subscription, or a consumer that this process listens for
   * @param position the message's position in the ledger; of a consumer, its number
   * @param route the handler; null where the message is parked in one route alone
   */
  @WriteOperation
  public WebEndpointResponse<Object> retry(
      @Selector String subscription, long position, @Nullable String route) {
    return EndpointAnswer.of(
        route == null ? consumers.consumers() : Set.of(),
        () -> {
          if (isConsumer(subscription, position, route)) {
            return outledger.inbox(subscription).parked().retry(position);
          }
          ParkedMessages parked = outledger.parkedMessages(subscription);
          return route == null ? parked.retry(position) : parked.retry(position, route);
        });
  }

  /** Asks that a parked message be discarded permanently; answers as {@link #retry} does. */
  @DeleteOperation
  public WebEndpointResponse<Object> discard(
      @Selector String subscription, long position, @Nullable String route) {
    return EndpointAnswer.of(
        route == null ? consumers.consumers() : Set.of(),
        () -> {
          if (isConsumer(subscription, position, route)) {
            return outledger.inbox(subscription).parked().discard(position);
          }
          ParkedMessages parked = outledger.parkedMessages(subscription);
          return route == null ? parked.discard(position) : parked.discard(position, route);
        });
  }

  /** Says whether it is a consumer's name; those have no routes. */
  private boolean isConsumer(String name, long position, @Nullable String route) {
    if (!consumers.reader(name).isConsumer()) {
      return false;
    }
    if (route != null) {
      throw UnknownName.route(
          route, "message " + position + " of consumer \"" + name + '"', Set.of());
    }
    return true;
  }
}
