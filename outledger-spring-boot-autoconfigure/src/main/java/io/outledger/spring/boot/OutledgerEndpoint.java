// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.ConsumerState;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.MessageInfo;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ScheduledState;
import io.outledger.jdbc.admin.SubscriptionState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The actuator endpoint {@code outledger}: subscriptions, consumers, scheduled messages, sagas,
 * relays, receivers and parked messages. It only reads.
 */
@Endpoint(id = "outledger", defaultAccess = Access.READ_ONLY)
public final class OutledgerEndpoint {

  private final Outledger outledger;
  private final RelayProgress progress;
  private final ReceiverDefinitions consumers;
  private final ObjectProvider<OutledgerReceivers> receivers;

  OutledgerEndpoint(
      Outledger outledger,
      RelayProgress progress,
      ReceiverDefinitions consumers,
      ObjectProvider<OutledgerReceivers> receivers) {
    this.outledger = outledger;
    this.progress = progress;
    this.consumers = consumers;
    this.receivers = receivers;
  }

  /**
   * The endpoint's answer.
   *
   * @param subscriptions where each subscription of the ledger stands, how late it is, who runs it,
   *     and what keeps its messages back
   * @param consumers what each consumer of the ledger's schema remembers and has parked
   * @param scheduled how many messages wait for their time, when the next is due, and how late the
   *     first of those is that are due
   * @param stuckSagas how many sagas are stuck behind a dead letter of theirs, by the saga's name
   * @param relays what the relays of this process do, by subscription
   * @param receivers what the receivers of this process's listeners do, by consumer
   */
  public record Overview(
      List<SubscriptionState> subscriptions,
      List<ConsumerState> consumers,
      ScheduledState scheduled,
      Map<String, Count> stuckSagas,
      Map<String, String> relays,
      Map<String, String> receivers) {}

  /**
   * A parked message, without its payload and headers, which may hold personal data.
   *
   * @param position its position in the ledger; a consumer's is its number among what that has
   *     parked
   * @param route the handler or route; null for a consumer, and where a subscription has one
   *     publisher: then a request names none
   * @param state whether it is retried, held or dead
   * @param attempts how many attempts have failed
   * @param id its id, as its sender gave it
   * @param topic its topic; a consumer's is where it came from
   * @param type its type
   * @param key its key; null where it has none
   * @param time when it was made; null where its sender did not say
   * @param error what happened at the last attempt; null where it is merely held
   * @param withdrawn whether it was erased or revised, and its relay is about to discard it
   * @param nextAttemptAt when it is tried again; null unless it is retried
   */
  public record Parked(
      long position,
      @Nullable String route,
      String state,
      int attempts,
      String id,
      String topic,
      String type,
      @Nullable String key,
      @Nullable Instant time,
      @Nullable String error,
      boolean withdrawn,
      @Nullable Instant nextAttemptAt) {}

  /**
   * Returns what the ledger has, and what the relays and receivers of this process do, as an {@link
   * Overview}; over HTTP the status is 503, with the reason, while the database is away.
   */
  @ReadOperation
  public WebEndpointResponse<Object> overview() {
    OutledgerReceivers running = receivers.getIfAvailable();
    return EndpointAnswer.of(
        () -> {
          var all = outledger.admin().overview();
          return new Overview(
              all.subscriptions(),
              outledger.admin().consumers(),
              all.scheduled(),
              outledger.admin().sagas().stuck(),
              progress.relays(),
              running == null ? Map.of() : running.states());
        });
  }

  /**
   * Returns the first hundred parked messages of a subscription, or of a consumer that this process
   * listens for, as a list of {@link Parked}; over HTTP the status is 404, with the reason, where
   * there is neither.
   */
  @ReadOperation
  public WebEndpointResponse<Object> parked(@Selector String subscription) {
    return EndpointAnswer.of(
        consumers.consumers(),
        () ->
            outledger.admin().parked(ParkedQuery.of(consumers.reader(subscription))).rows().stream()
                .map(OutledgerEndpoint::shown)
                .toList());
  }

  private static Parked shown(io.outledger.jdbc.admin.Parked parked) {
    MessageInfo message = parked.message();
    return new Parked(
        parked.place().number(),
        parked.place().route().isEmpty() ? null : parked.place().route(),
        parked.state().name(),
        parked.attempts(),
        message.id(),
        message.topic(),
        message.type(),
        message.key(),
        message.time(),
        parked.error(),
        parked.withdrawn(),
        parked.nextAttemptAt());
  }
}
