// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.Outledger;
import io.outledger.publish.Publisher;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.ReceiverListener;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.saga.Saga;
import io.outledger.spring.SpringOutbox;
import io.outledger.spring.SpringTransactions;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * What relays and receivers are made of, among the application's beans. They are asked for when
 * those start.
 */
final class RelaySources {

  private static final HandlerMethods.Kind<OutboxHandler> OUTBOX_HANDLER =
      new HandlerMethods.Kind<>(
          OutboxHandler.class,
          said ->
              new TreeMap<>(Map.of("subscription", said.subscription(), "handler", said.value()))
                  .descendingMap());

  private static final HandlerMethods.Kind<InboxListener> INBOX_LISTENER =
      new HandlerMethods.Kind<>(InboxListener.class, said -> Map.of("consumer", said.value()));

  private final ConfigurableListableBeanFactory beans;
  private final Environment environment;
  private final @Nullable String transactionManager;
  private @Nullable Map<String, List<AnnotatedHandler<InboxListener>>> listeners;
  private @Nullable PlatformTransactionManager manager;

  RelaySources(
      ConfigurableListableBeanFactory beans,
      Environment environment,
      @Nullable String transactionManager) {
    this.beans = beans;
    this.environment = environment;
    this.transactionManager = transactionManager;
  }

  Environment environment() {
    return environment;
  }

  Outledger outledger() {
    return beans.getBean(Outledger.class);
  }

  /** Returns the data source that is for relays alone, by its name. */
  DataSource relayDataSource(String name) {
    return DataSources.ofRelays(beans, name);
  }

  /** Says whether relays run in this process. */
  boolean hasRelays() {
    return beans.getBeanNamesForType(OutledgerRelays.class).length > 0;
  }

  SpringTransactions transactions() {
    return beans.getBean(SpringTransactions.class);
  }

  /** Returns publishers, by the names of their beans, or those that properties give them. */
  Map<String, Publisher> publishers() {
    return beans.getBean(ConfiguredPublishers.class).with(beans);
  }

  /** Says whether others alone are why there is no publisher {@code kafka}. */
  boolean leavesKafka(Map<String, Publisher> publishers) {
    return beans.getBean(ConfiguredPublishers.class).leavesKafka(publishers);
  }

  /**
   * Returns methods with {@link OutboxHandler}, by subscription and handler. That of sagas is among
   * them if the ledger has messages for one.
   */
  Map<String, Map<String, List<AnnotatedHandler<OutboxHandler>>>> handlers() {
    Map<String, Map<String, List<AnnotatedHandler<OutboxHandler>>>> subscriptions = new TreeMap<>();
    for (AnnotatedHandler<OutboxHandler> each : find(OUTBOX_HANDLER)) {
      subscriptions
          .computeIfAbsent(each.said().subscription(), name -> new TreeMap<>())
          .computeIfAbsent(each.said().value(), name -> new ArrayList<>())
          .add(each);
    }
    if (sagas().stream().anyMatch(saga -> isRelayed(saga))) {
      subscriptions.computeIfAbsent(RelayDefinitions.SAGAS, name -> new TreeMap<>());
    }
    return subscriptions;
  }

  /** Returns sagas that are beans, by the names of these. */
  List<Saga<?>> sagas() {
    List<Saga<?>> sagas = new ArrayList<>();
    for (String name : new TreeSet<>(List.of(beans.getBeanNamesForType(Saga.class)))) {
      sagas.add(beans.getBean(name, Saga.class));
    }
    return sagas;
  }

  private boolean isRelayed(Saga<?> saga) {
    return !isReceived(saga) || outledger().sagas().hasTimeouts(saga);
  }

  /**
   * Returns whether a saga's messages come from a broker, since a receiver has its name. All but
   * its time-outs do then: in this process each message has one door, and so moves the saga once. A
   * process without the receiver has another door: docs/sagas.md says how to move a saga.
   */
  boolean isReceived(Saga<?> saga) {
    String name = outledger().sagas().name(saga);
    ConfiguredReceivers configured =
        beans.getBeanProvider(ConfiguredReceivers.class).getIfAvailable();
    return (configured != null && configured.has(name))
        || List.of(beans.getBeanNamesForType(BrokerReceiver.class)).contains(name);
  }

  /** Returns sagas whose messages come from a broker, by their names. */
  Map<String, Saga<?>> receivedSagas() {
    Map<String, Saga<?>> received = new TreeMap<>();
    for (Saga<?> saga : sagas()) {
      if (isReceived(saga)) {
        received.put(outledger().sagas().name(saga), saga);
      }
    }
    return received;
  }

  /** Returns the names of all that receives from brokers: listeners, and sagas. */
  Set<String> consumers() {
    Set<String> consumers = new TreeSet<>(listeners().keySet());
    consumers.addAll(receivedSagas().keySet());
    return consumers;
  }

  /** Returns methods with {@link InboxListener}, by consumer; they are looked for once. */
  synchronized Map<String, List<AnnotatedHandler<InboxListener>>> listeners() {
    if (listeners == null) {
      listeners = findListeners();
    }
    return listeners;
  }

  private Map<String, List<AnnotatedHandler<InboxListener>>> findListeners() {
    Map<String, List<AnnotatedHandler<InboxListener>>> consumers = new TreeMap<>();
    for (AnnotatedHandler<InboxListener> each : find(INBOX_LISTENER)) {
      consumers.computeIfAbsent(each.said().value(), name -> new ArrayList<>()).add(each);
    }
    return consumers;
  }

  private <A extends Annotation> List<AnnotatedHandler<A>> find(HandlerMethods.Kind<A> kind) {
    return HandlerMethods.find(beans, kind, outledger().events().types(), this::manager);
  }

  /** Looked for once, as one that is not known has to prove itself. */
  private synchronized PlatformTransactionManager manager() {
    if (manager == null) {
      manager = LedgerTransactions.manager(beans, transactions(), transactionManager);
    }
    return manager;
  }

  HandlerRoute.Parts handlerParts() {
    return new HandlerRoute.Parts(
        outledger(),
        beans.getBean(SpringOutbox.class),
        transactions(),
        manager(),
        beans
            .getBeanProvider(MessageObservations.class)
            .getIfAvailable(() -> MessageObservations.NONE));
  }

  /** Returns the application's listeners of relays, and what tells of dead letters. */
  List<RelayListener> relayListeners(String subscription) {
    List<RelayListener> listeners =
        new ArrayList<>(beans.getBeanProvider(RelayListener.class).orderedStream().toList());
    beans
        .getBeanProvider(RelayListenerSource.class)
        .forEach(source -> listeners.add(source.listener(subscription)));
    for (DeadLetterListener each :
        beans.getBeanProvider(DeadLetterListener.class).orderedStream().toList()) {
      listeners.add(
          event -> {
            if (event instanceof RelayEvent.Died died) {
              each.on(new DeadLetter(subscription, died.message(), died.attempts(), died.reason()));
            }
          });
    }
    return listeners;
  }

  /** Returns the application's listeners of receivers. */
  List<ReceiverListener> receiverListeners(String consumer) {
    List<ReceiverListener> listeners =
        new ArrayList<>(beans.getBeanProvider(ReceiverListener.class).orderedStream().toList());
    beans
        .getBeanProvider(ReceiverListenerSource.class)
        .forEach(source -> listeners.add(source.listener(consumer)));
    return listeners;
  }

  /** Returns receivers that properties describe, by consumer; not started. */
  Map<String, BrokerReceiver<?>> configuredReceivers() {
    return beans.getBean(ConfiguredReceivers.class).all();
  }

  /** Returns whether a property says that deliveries that are no messages hold their stream. */
  boolean holdsForeign(String consumer) {
    return beans.getBean(ConfiguredReceivers.class).holdsForeign(consumer);
  }

  /** Returns whether a property says that this release of a consumer replaces the earlier ones. */
  boolean replaces(String consumer) {
    return beans.getBean(ConfiguredReceivers.class).replaces(consumer);
  }

  /** Returns receivers that are beans, by the names of these; not started. */
  Map<String, BrokerReceiver<?>> receiverBeans() {
    Map<String, BrokerReceiver<?>> receivers = new TreeMap<>();
    for (String name : beans.getBeanNamesForType(BrokerReceiver.class)) {
      receivers.put(name, beans.getBean(name, BrokerReceiver.class));
    }
    return receivers;
  }
}
