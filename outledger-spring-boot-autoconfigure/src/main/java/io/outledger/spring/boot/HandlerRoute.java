// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Message;
import io.outledger.event.EventHandlers;
import io.outledger.inbox.Received;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Sagas;
import io.outledger.relay.handler.PositionedHandler;
import io.outledger.relay.options.Accepts;
import io.outledger.saga.Saga;
import io.outledger.spring.SpringOutbox;
import io.outledger.spring.SpringTransactions;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * One handler: hands each event to its method, in a Spring transaction with the message's inbox
 * row. Thread-safe.
 */
final class HandlerRoute implements PositionedHandler {

  /** What all handlers work with. */
  record Parts(
      Outledger outledger,
      SpringOutbox outbox,
      SpringTransactions transactions,
      PlatformTransactionManager manager,
      MessageObservations observations) {}

  private final String subscription;
  private final String name;
  private final Parts parts;
  private final EventHandlers<EventContext> handlers;
  private final JdbcInbox inbox;

  HandlerRoute(
      String subscription,
      String name,
      Consumer<EventHandlers.Builder<EventContext>> choices,
      Parts parts) {
    this.subscription = subscription;
    this.name = name;
    this.parts = parts;
    this.handlers = EventHandlers.inTransactions(parts.outledger().events(), choices);
    this.inbox = parts.outledger().inbox(subscription + "/" + name);
  }

  /** Makes the route of a handler's methods. */
  static HandlerRoute of(
      String subscription,
      String name,
      List<AnnotatedHandler<OutboxHandler>> methods,
      Parts parts) {
    return new HandlerRoute(
        subscription,
        name,
        choices ->
            methods.forEach(method -> choices.on(method.eventClass(), method.method()::call)),
        parts);
  }

  /**
   * Makes the route of a saga, by its name.
   *
   * @param isReceived whether a receiver takes its messages, so that its time-outs alone are left;
   *     empty where it has none
   */
  static Optional<HandlerRoute> of(
      String subscription, Saga<?> saga, boolean isReceived, Parts parts) {
    Sagas sagas = parts.outledger().sagas();
    if (isReceived && !sagas.hasTimeouts(saga)) {
      return Optional.empty();
    }
    return Optional.of(
        new HandlerRoute(
            subscription,
            sagas.name(saga),
            isReceived ? sagas.timeoutHandlers(saga) : sagas.handlers(saga),
            parts));
  }

  /** Returns the handler's name. */
  String name() {
    return name;
  }

  /** Returns which messages are to be handed over: to be handled, or to be counted. */
  Accepts accepts() {
    return Accepts.types(handlers.declaredTypes())
        .testedBy(message -> match(message) != EventHandlers.Match.NOT_NAMED);
  }

  private EventHandlers.Match match(Message message) {
    return handlers.match(message.type(), message.version());
  }

  /** Returns the inbox, to be compared with the retries. */
  JdbcInbox inbox() {
    return inbox;
  }

  @Override
  public void handle(long position, int attempt, Message message) throws Exception {
    if (match(message) == EventHandlers.Match.UNREGISTERED) {
      inbox.passOver(message.type(), message.version());
      return; // it costs neither transaction nor row
    }
    parts
        .observations()
        .handle(subscription, name, message, () -> process(position, attempt, message));
  }

  private void process(long position, int attempt, Message message) throws Exception {
    EventHandlers.Call<EventContext> call = handlers.read(message);
    Received received = Received.ofLedger(subscription, position, message);
    HandlerContext context =
        new HandlerContext(
            parts, Received.of(Received.LEDGER + subscription, message), position, attempt);
    inbox.processIn(new SpringTransaction(parts), received, () -> call.run(context));
  }
}
