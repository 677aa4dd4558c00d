// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import io.outledger.event.EventHandlers;
import io.outledger.inbox.BatchHandler;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Sagas;
import io.outledger.jdbc.admin.Reader;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.ReceiverListener;
import io.outledger.receive.RunningReceiver;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The receivers of this process that have methods with {@link InboxListener} or a saga, as beans
 * and properties say: one for each consumer. Thread-safe.
 */
public final class ReceiverDefinitions {

  private static final String ROUTING =
      "@InboxListener does not work behind a data source that routes: what fails would be parked in"
          + " one database, and remembered in another. Build an Outledger on each target, and start"
          + " a receiver with its inbox";

  private final RelaySources sources;

  ReceiverDefinitions(RelaySources sources) {
    this.sources = sources;
  }

  /**
   * Makes the handlers of the methods with {@link InboxListener} and of the sagas that have a
   * receiver, by consumer, without their brokers: for a test that hands messages over itself.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} listing every method that cannot be
   *     called, and every saga that has the name of a listener
   */
  public Map<String, BatchHandler> handlers() {
    Map<String, BatchHandler> handlers = new LinkedHashMap<>();
    sources.listeners().forEach((name, methods) -> handlers.put(name, handler(name, methods)));
    Problems problems = Problems.of("messages cannot be received");
    sources
        .receivedSagas()
        .forEach(
            (name, saga) -> {
              if (handlers.containsKey(name)) {
                problems.add(ofBoth(name));
              } else {
                Sagas sagas = sources.outledger().sagas();
                handlers.put(name, handler(name, sagas.receiverHandlers(saga)));
              }
            });
    problems.refuse();
    return handlers;
  }

  /**
   * Returns what starts each receiver, by consumer.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} listing every consumer whose broker
   *     is not known, and every receiver without a listener
   */
  Map<String, Supplier<RunningReceiver>> all() {
    Map<String, BatchHandler> handlers = handlers();
    Map<String, BrokerReceiver<?>> configured = sources.configuredReceivers();
    Map<String, BrokerReceiver<?>> beans = sources.receiverBeans();
    Problems problems = Problems.of("messages cannot be received");
    configured.keySet().stream()
        .filter(consumer -> !handlers.containsKey(consumer))
        .forEach(consumer -> problems.add(noListener(consumer, handlers.keySet())));
    Map<String, Supplier<RunningReceiver>> starts = new LinkedHashMap<>();
    handlers.forEach(
        (consumer, handler) -> {
          BrokerReceiver<?> property = configured.get(consumer);
          BrokerReceiver<?> bean = beans.get(consumer);
          BrokerReceiver<?> receiver = property == null ? bean : property;
          if (receiver == null) {
            problems.add(nowhere(consumer));
          } else if (property != null && bean != null) {
            problems.add(twice(consumer));
          } else {
            starts.put(consumer, () -> ready(receiver, consumer, handler).start(handler));
          }
        });
    if (!starts.isEmpty() && sources.transactions().isRouting()) {
      problems.add(ROUTING);
    }
    problems.refuse();
    if (!sources.hasRelays()) { // else the look at those includes these
      PoolSize.look(sources.outledger().dataSource(), new PoolSize.Needs(0, 0, handlers.size()));
    }
    return starts;
  }

  /** Returns who has a name: a consumer that this process listens for, or else a subscription. */
  Reader reader(String name) {
    return sources.consumers().contains(name) ? Reader.consumer(name) : Reader.subscription(name);
  }

  /** Returns the consumers that this process listens for. */
  Set<String> consumers() {
    return sources.consumers();
  }

  private static String noListener(String consumer, Set<String> listeners) {
    return "outledger.receivers."
        + consumer
        + " is set, and no bean has a method with @InboxListener(\""
        + consumer
        + "\"), or is a saga of that name; there are listeners of "
        + listeners;
  }

  private static String ofBoth(String name) {
    return "a saga and methods with @InboxListener have the name \""
        + name
        + "\", and one receiver: give the listener another";
  }

  private static String twice(String consumer) {
    return "both outledger.receivers."
        + consumer
        + " and the bean "
        + consumer
        + " say where the messages of @InboxListener(\""
        + consumer
        + "\") come from: remove one of them";
  }

  private static String nowhere(String consumer) {
    return "nothing says where the messages of @InboxListener(\""
        + consumer
        + "\") come from: set outledger.receivers."
        + consumer
        + ".<broker>.*, such as outledger.receivers."
        + consumer
        + ".kafka.topics=orders, or declare a receiver bean named "
        + consumer;
  }

  private BrokerReceiver<?> ready(
      BrokerReceiver<?> receiver, String consumer, BatchHandler handler) {
    BrokerReceiver<?> told = receiver.transactionPerMessage();
    if (!sources.holdsForeign(consumer)) {
      told = told.unreadableParkedByDefault(handler);
    }
    for (ReceiverListener each : sources.receiverListeners(consumer)) {
      told = told.listener(each);
    }
    return told;
  }

  private BatchHandler handler(String consumer, List<AnnotatedHandler<InboxListener>> methods) {
    return handler(
        consumer,
        choices -> methods.forEach(each -> choices.on(each.eventClass(), each.method()::call)));
  }

  /** Makes one whose work is observed, each message in a transaction of Spring. */
  private BatchHandler handler(
      String consumer, Consumer<EventHandlers.Builder<EventContext>> handlers) {
    HandlerRoute.Parts parts = sources.handlerParts();
    MessageObservations observations = parts.observations();
    JdbcInbox inbox = parts.outledger().inbox(consumer);
    return (sources.replaces(consumer) ? inbox.replaces() : inbox)
        .handler(
            () -> new SpringTransaction(parts),
            parts.outbox(),
            choices -> {
              handlers.accept(choices);
              choices.within(
                  call ->
                      context ->
                          observations.receive(
                              consumer, context.message(), () -> call.run(context)));
            });
  }
}
