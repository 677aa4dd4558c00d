// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.publish.Publisher;
import io.outledger.relay.handler.HandlerPublisher;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.saga.Saga;
import io.outledger.spring.boot.OutledgerProperties.RelayProperties;
import io.outledger.spring.boot.OutledgerProperties.SubscriptionProperties;
import io.outledger.store.Start;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;

/**
 * The relays of this process, as beans and properties say: a subscription for each publisher, named
 * after its bean or by its properties, and one or several for handlers. Thread-safe.
 */
public final class RelayDefinitions {

  /** The subscription of all sagas that are beans. */
  static final String SAGAS = "sagas";

  private final RelaySources sources;
  private final OutledgerProperties properties;

  RelayDefinitions(RelaySources sources, OutledgerProperties properties) {
    this.sources = sources;
    this.properties = properties;
  }

  /**
   * Defines relays for the methods with {@link OutboxHandler} and for sagas, by subscription. None
   * is built or started: that is for the caller, such as a test that runs them itself.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} listing every method that cannot be
   *     called; {@code OUT-040} if a saga cannot work
   */
  public Map<String, RelayBuilder> ofHandlers() {
    Map<String, RelayBuilder> relays = new LinkedHashMap<>();
    sources.handlers().forEach((name, routes) -> relays.put(name, withRoutes(name, routes)));
    return relays;
  }

  /** Defines all relays; none if nothing takes the messages. */
  List<RelayBuilder> all() {
    Map<String, Publisher> publishers = sources.publishers();
    Map<String, Map<String, List<AnnotatedHandler<OutboxHandler>>>> handlers = sources.handlers();
    Set<String> both = new TreeSet<>(publishers.keySet());
    both.retainAll(handlers.keySet());
    if (!both.isEmpty()) {
      throw sharedBy(both);
    }
    Set<String> subscriptions = new TreeSet<>(publishers.keySet());
    subscriptions.addAll(handlers.keySet());
    if (!subscriptions.isEmpty()) {
      PropertyProblems.checkSubscriptions(properties, subscriptions);
      look(publishers, handlers.keySet());
    }
    lookAtPools(subscriptions, handlers);
    List<RelayBuilder> relays = new ArrayList<>();
    publishers.forEach((name, publisher) -> relays.add(relay(name).to(publisher)));
    handlers.forEach((name, routes) -> relays.add(withRoutes(name, routes)));
    return relays;
  }

  /** Returns whether this process has listeners: it may be there to receive, and nothing else. */
  boolean isReceivingAlone() {
    return !sources.consumers().isEmpty();
  }

  /** Tells what is allowed, and seldom meant. */
  private void look(Map<String, Publisher> publishers, Set<String> handlers) {
    Set<String> startNow = new TreeSet<>();
    properties
        .subscriptions()
        .forEach(
            (name, own) -> {
              if (own.startNow()) {
                startNow.add(name);
              }
            });
    NewSubscriptions.look(
        sources.outledger(),
        new NewSubscriptions.Own(
            publishers.keySet(),
            handlers,
            properties.publishers().keySet(),
            startNow,
            sources.leavesKafka(publishers)));
  }

  private void lookAtPools(
      Set<String> subscriptions,
      Map<String, Map<String, List<AnnotatedHandler<OutboxHandler>>>> handlers) {
    PoolSize.look(sources.outledger().dataSource(), needs(subscriptions, handlers));
    String ofRelays = properties.relay().dataSource();
    if (ofRelays != null && !subscriptions.isEmpty()) {
      int kept = subscriptions.stream().mapToInt(this::partitions).sum();
      PoolSize.checkOfRelays(sources.relayDataSource(ofRelays), kept);
    }
  }

  private int partitions(String subscription) {
    SubscriptionProperties own = properties.subscriptions().get(subscription);
    return own == null ? 1 : own.partitions();
  }

  private PoolSize.Needs needs(
      Set<String> subscriptions,
      Map<String, Map<String, List<AnnotatedHandler<OutboxHandler>>>> handlers) {
    int threads =
        handlers.values().stream()
            .flatMap(routes -> routes.values().stream())
            .mapToInt(this::threads)
            .sum();
    int ofSagas = sources.sagas().size() * properties.handlers().concurrency();
    return new PoolSize.Needs(
        properties.relay().dataSource() == null ? subscriptions.size() : 0,
        threads + ofSagas,
        properties.receiving().enabled() ? sources.consumers().size() : 0);
  }

  private int threads(List<AnnotatedHandler<OutboxHandler>> handler) {
    int threads = handler.stream().mapToInt(method -> method.said().concurrency()).max().orElse(0);
    return threads > 0 ? threads : properties.handlers().concurrency();
  }

  // Two relays would take turns in one cursor, and each would pass over the other's messages.
  private static ConfigurationException sharedBy(Set<String> subscriptions) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "a publisher and methods with @OutboxHandler have the same subscription: "
            + subscriptions
            + ". A message would go to one of them alone. Let the methods name another"
            + " subscription, or none");
  }

  private RelayBuilder withRoutes(
      String subscription, Map<String, List<AnnotatedHandler<OutboxHandler>>> handlers) {
    RelayBuilder relay = relay(subscription);
    handlers.forEach(
        (name, methods) ->
            add(
                relay,
                subscription,
                HandlerRoute.of(subscription, name, methods, sources.handlerParts()),
                threads(methods)));
    if (subscription.equals(SAGAS)) {
      for (Saga<?> saga : sources.sagas()) {
        HandlerRoute.of(SAGAS, saga, sources.isReceived(saga), sources.handlerParts())
            .ifPresent(route -> add(relay, SAGAS, route, properties.handlers().concurrency()));
      }
    }
    return relay;
  }

  private void add(RelayBuilder relay, String subscription, HandlerRoute route, int threads) {
    route.inbox().covers(retry(subscription).span());
    String name = route.name();
    SubscriptionProperties own = properties.subscriptions().get(subscription);
    if (threads < 2 && own != null && own.partitions() > 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the handler "
              + name
              + " has one thread, and outledger.subscriptions."
              + subscription
              + ".partitions is "
              + own.partitions()
              + ": a partition uses half of a handler's threads, so that one that is stuck leaves"
              + " some to the others. Set outledger.handlers.concurrency, or the concurrency of"
              + " @OutboxHandler, to 2 or more");
    }
    Executor executor = HandlerThreads.of(name, threads, sources.environment());
    relay.to(name, route.accepts(), new HandlerPublisher(name, route, executor, threads));
  }

  private RelayBuilder relay(String subscription) {
    RelayProperties all = properties.relay();
    SubscriptionProperties own = properties.subscriptions().get(subscription);
    RetryPolicy retry = retry(subscription);
    RelayBuilder relay = sources.outledger().relay(subscription);
    if (own != null && own.startNow()) {
      relay.from(Start.NOW);
    }
    if (own != null) {
      relay.partitions(own.partitions());
    }
    sources.relayListeners(subscription).forEach(relay::listener);
    List<String> replaced = own == null ? List.of() : own.replaces();
    return relay
        .options(
            options -> {
              all.tuning()
                  .applyTo(options)
                  .lease(all.lease())
                  .polling(polling -> polling.withIdle(all.pollInterval()))
                  .retry(retry);
              replaced.forEach(options::replaces);
            })
        .handOverMax(all.handOverMax());
  }

  private RetryPolicy retry(String subscription) {
    return Retries.of(properties.relay(), properties.subscriptions().get(subscription));
  }
}
