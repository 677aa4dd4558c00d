// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.admin.Request;
import io.outledger.spring.boot.OutledgerRequestsEndpoint.Asked;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The same over HTTP: the audit gets the name of the authenticated principal, where there is one.
 */
@EndpointWebExtension(endpoint = OutledgerRequestsEndpoint.class)
public final class OutledgerRequestsWebExtension {

  private final OutledgerRequestsEndpoint endpoint;

  OutledgerRequestsWebExtension(OutledgerRequestsEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /**
   * Asks that a parked message be tried again now; see {@link OutledgerRequestsEndpoint#retry}.
   *
   * @param security who asks; Boot passes it
   * @param subscription the subscription, or a consumer that this process listens for
   * @param position the message's position in the ledger; of a consumer, its number. The status is
   *     400, with the reason, where it is null or no number
   * @param route the handler; null where the message is parked in one route alone
   * @param reason why, for the audit; null where nobody says so
   */
  @WriteOperation
  public WebEndpointResponse<Object> retry(
      SecurityContext security,
      @Selector String subscription,
      @org.springframework.lang.Nullable @Nullable String position,
      @org.springframework.lang.Nullable @Nullable String route,
      @org.springframework.lang.Nullable @Nullable String reason) {
    return EndpointAnswer.at(
        position, at -> endpoint.retry(new Asked(subscription, at, route, who(security), reason)));
  }

  /** Asks that a parked message be discarded permanently; answers as {@link #retry} does. */
  @DeleteOperation
  public WebEndpointResponse<Object> discard(
      SecurityContext security,
      @Selector String subscription,
      @org.springframework.lang.Nullable @Nullable String position,
      @org.springframework.lang.Nullable @Nullable String route,
      @org.springframework.lang.Nullable @Nullable String reason) {
    return EndpointAnswer.at(
        position,
        at -> endpoint.discard(new Asked(subscription, at, route, who(security), reason)));
  }

  /**
   * Asks that a subscription be paused or resumed; see {@link OutledgerRequestsEndpoint#change}.
   *
   * @param security who asks; Boot passes it
   * @param subscription the subscription
   * @param verb {@code pause} or {@code resume}
   * @param route the handler that is concerned alone; null for all of the subscription
   * @param reason why, for the audit; null where nobody says so
   */
  @WriteOperation
  public WebEndpointResponse<Object> change(
      SecurityContext security,
      @Selector String subscription,
      @Selector String verb,
      @org.springframework.lang.Nullable @Nullable String route,
      @org.springframework.lang.Nullable @Nullable String reason) {
    return endpoint.change(new Asked(subscription, 0, route, who(security), reason), verb);
  }

  /** Returns the principal's name, of which a certificate's may be of any length. */
  static String who(SecurityContext security) {
    Principal principal = security.getPrincipal();
    String name = principal == null ? null : principal.getName();
    if (name == null || name.isBlank()) {
      return Asked.NOBODY;
    }
    if (name.length() <= Request.ASKED_BY_CHARS_MAX) {
      return name;
    }
    int end = Request.ASKED_BY_CHARS_MAX - 1;
    // Half a surrogate pair is no text that a database takes.
    return name.substring(0, Character.isHighSurrogate(name.charAt(end - 1)) ? end - 1 : end) + "…";
  }
}
