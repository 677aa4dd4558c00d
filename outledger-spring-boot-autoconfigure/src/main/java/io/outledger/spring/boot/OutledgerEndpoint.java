// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.ParkedStatus;
import io.outledger.jdbc.admin.SubscriptionStatus;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator endpoint {@code outledger}: subscriptions, relays and parked messages. It only
 * reads.
 */
@Endpoint(id = "outledger", defaultAccess = Access.READ_ONLY)
public final class OutledgerEndpoint {

  private static final int PARKED_MAX = 100;

  private final Outledger outledger;
  private final RelayProgress progress;

  OutledgerEndpoint(Outledger outledger, RelayProgress progress) {
    this.outledger = outledger;
    this.progress = progress;
  }

  /**
   * The endpoint's answer.
   *
   * @param subscriptions where each subscription of the ledger stands
   * @param relays what the relays of this process do, by subscription
   */
  public record Overview(List<SubscriptionStatus> subscriptions, Map<String, Object> relays) {}

  /**
   * A parked message, without its payload, headers and error, which may hold personal data.
   *
   * @param position its position in the ledger
   * @param route the handler or route
   * @param state whether it is retried, held or dead
   * @param attempts how many attempts have failed
   */
  public record Parked(long position, String route, String state, int attempts) {}

  /** Returns all subscriptions of the ledger, and the relays of this process. */
  @ReadOperation
  public Overview overview() {
    return new Overview(outledger.subscriptions().list(), progress.details());
  }

  /** Returns the first hundred parked messages of a subscription. */
  @ReadOperation
  public List<Parked> parked(@Selector String subscription) {
    return outledger
        .parkedMessages(subscription)
        .list(ParkedSelection.ALL, ParkedPlace.FIRST, PARKED_MAX)
        .stream()
        .map(OutledgerEndpoint::shown)
        .toList();
  }

  private static Parked shown(ParkedStatus status) {
    ParkedMessage parked = status.parked();
    return new Parked(parked.position(), parked.route(), parked.state().name(), parked.attempts());
  }
}
