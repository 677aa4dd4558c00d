// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.UnknownName;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.ParkedReceipts;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.store.PauseScope;
import java.util.Map;
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
 * discarded, and that subscriptions be paused or resumed. Off until {@code
 * management.endpoint.outledgerrequests.access=unrestricted} is set. Over HTTP {@link
 * OutledgerRequestsWebExtension} takes its place, which knows who asks. What may be left out has
 * Spring's own annotation, too: Boot 3.5 knows no other.
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
   * What is asked for, and by whom.
   *
   * @param name the subscription, or a consumer that this process listens for
   * @param position the message's position in the ledger; of a consumer, its number
   * @param route the handler; null where the message is parked in one route alone
   * @param who who asks, for the audit
   * @param reason why, for the audit; null or blank where nobody says so
   */
  record Asked(
      String name, long position, @Nullable String route, String who, @Nullable String reason) {

    /** Who asks where nobody is known. */
    static final String NOBODY = "actuator";

    private String why() {
      return reason == null || reason.isBlank()
          ? "by the actuator endpoint, without a reason"
          : reason;
    }
  }

  /**
   * Asks that a parked message be tried again now. The answer is whether there was one; over HTTP
   * its status is 404, with the reason, where there is no such subscription, consumer or route.
   *
   * @param subscription the subscription, or a consumer that this process listens for
   * @param position the message's position in the ledger; of a consumer, its number
   * @param route the handler; null where the message is parked in one route alone
   * @param reason why, for the audit; null where nobody says so
   */
  @WriteOperation
  public WebEndpointResponse<Object> retry(
      @Selector String subscription,
      long position,
      @org.springframework.lang.Nullable @Nullable String route,
      @org.springframework.lang.Nullable @Nullable String reason) {
    return retry(new Asked(subscription, position, route, Asked.NOBODY, reason));
  }

  WebEndpointResponse<Object> retry(Asked asked) {
    return EndpointAnswer.of(
        candidates(asked),
        () -> {
          if (isConsumer(asked)) {
            return receipts(asked).retry(asked.position());
          }
          String route = asked.route();
          return route == null
              ? parked(asked).retry(asked.position())
              : parked(asked).retry(asked.position(), route);
        });
  }

  /** Asks that a parked message be discarded permanently; answers as {@link #retry} does. */
  @DeleteOperation
  public WebEndpointResponse<Object> discard(
      @Selector String subscription,
      long position,
      @org.springframework.lang.Nullable @Nullable String route,
      @org.springframework.lang.Nullable @Nullable String reason) {
    return discard(new Asked(subscription, position, route, Asked.NOBODY, reason));
  }

  WebEndpointResponse<Object> discard(Asked asked) {
    return EndpointAnswer.of(
        candidates(asked),
        () -> {
          if (isConsumer(asked)) {
            return receipts(asked).discard(asked.position());
          }
          String route = asked.route();
          return route == null
              ? parked(asked).discard(asked.position())
              : parked(asked).discard(asked.position(), route);
        });
  }

  /**
   * Asks that a subscription, or one of its routes, be paused or resumed. The answer has the
   * request's state and what came of it.
   *
   * @param subscription the subscription
   * @param verb {@code pause} or {@code resume}; over HTTP the status is 400 for another one
   * @param route the handler that is concerned alone; null for all of the subscription
   * @param reason why, for the audit; null where nobody says so
   */
  @WriteOperation
  public WebEndpointResponse<Object> change(
      @Selector String subscription,
      @Selector String verb,
      @org.springframework.lang.Nullable @Nullable String route,
      @org.springframework.lang.Nullable @Nullable String reason) {
    return change(new Asked(subscription, 0, route, Asked.NOBODY, reason), verb);
  }

  WebEndpointResponse<Object> change(Asked asked, String verb) {
    return EndpointAnswer.of(
        () -> {
          Verb wanted = verb(asked, verb);
          RequestStatus status = outledger.requests().ask(wanted.by(asked.who(), asked.why()));
          if (status.state() == RequestState.REFUSED) {
            throw new ConfigurationException(
                "OUT-025".equals(status.code())
                    ? ErrorCode.UNKNOWN_SUBSCRIPTION
                    : ErrorCode.INVALID_CONFIGURATION,
                status.result());
          }
          return Map.of("state", status.state().stored(), "result", status.result());
        });
  }

  private static Verb verb(Asked asked, String verb) {
    String route = asked.route();
    PauseScope scope = route == null ? PauseScope.subscription() : PauseScope.route(route);
    return switch (verb) {
      case "pause" -> new Verb.Pause(asked.name(), scope);
      case "resume" -> new Verb.Resume(asked.name(), scope);
      default ->
          throw new ConfigurationException(
              ErrorCode.INVALID_CONFIGURATION,
              "there is no verb "
                  + verb
                  + " here; there are pause and resume, and everything else is asked for in Java");
    };
  }

  private Set<String> candidates(Asked asked) {
    return asked.route() == null ? consumers.consumers() : Set.of();
  }

  private ParkedReceipts receipts(Asked asked) {
    return outledger.inbox(asked.name()).parked().by(asked.who(), asked.why());
  }

  private ParkedMessages parked(Asked asked) {
    return outledger.parkedMessages(asked.name()).by(asked.who(), asked.why());
  }

  /** Says whether it is a consumer's name; those have no routes. */
  private boolean isConsumer(Asked asked) {
    if (!consumers.reader(asked.name()).isConsumer()) {
      return false;
    }
    String route = asked.route();
    if (route != null) {
      throw UnknownName.route(
          route, "message " + asked.position() + " of consumer \"" + asked.name() + '"', Set.of());
    }
    return true;
  }
}
