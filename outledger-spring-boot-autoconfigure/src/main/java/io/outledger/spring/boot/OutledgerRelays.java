// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.publish.Publisher;
import io.outledger.relay.HandlerPublisher;
import io.outledger.relay.RetryPolicy;
import io.outledger.relay.RunningRelay;
import io.outledger.spring.boot.OutledgerProperties.RelayProperties;
import io.outledger.spring.boot.OutledgerProperties.SubscriptionProperties;
import io.outledger.store.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.context.SmartLifecycle;

/**
 * Runs the relays of this process: a subscription for each publisher, named after its bean, and one
 * or several for handlers.
 *
 * <p>They start before the web server and the listeners of brokers, and stop after them, so what
 * the last requests have committed is still published. A stop settles what is in flight and gives
 * the leases back.
 */
final class OutledgerRelays implements SmartLifecycle {

  /** Below the web server's phases, which stop first, and above the data source, a mere bean. */
  static final int PHASE = DEFAULT_PHASE - 8192;

  private final RelaySources sources;
  private final OutledgerProperties properties;
  private final List<RunningRelay> running = new ArrayList<>();

  OutledgerRelays(RelaySources sources, OutledgerProperties properties) {
    this.sources = sources;
    this.properties = properties;
  }

  @Override
  public synchronized void start() {
    if (!running.isEmpty()) {
      return;
    }
    Map<String, Publisher> publishers = sources.publishers();
    Map<String, Map<String, List<HandlerMethod>>> handlers = sources.handlers();
    if (publishers.isEmpty() && handlers.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, Destinations.missing(sources.environment()));
    }
    Set<String> subscriptions = new TreeSet<>(publishers.keySet());
    subscriptions.addAll(handlers.keySet());
    PropertyProblems.checkSubscriptions(properties, subscriptions);
    List<RelayBuilder> relays = new ArrayList<>();
    publishers.forEach((name, publisher) -> relays.add(relay(name).to(publisher)));
    handlers.forEach((name, routes) -> relays.add(withRoutes(name, routes)));
    relays.forEach(relay -> running.add(relay.start()));
  }

  private RelayBuilder withRoutes(String subscription, Map<String, List<HandlerMethod>> handlers) {
    RelayBuilder relay = relay(subscription);
    handlers.forEach(
        (name, methods) -> {
          HandlerRoute route =
              new HandlerRoute(subscription, name, methods, sources.handlerParts());
          route.inbox().covers(retry(subscription).span());
          int threads =
              methods.stream().mapToInt(method -> method.said().concurrency()).max().orElse(0);
          int concurrency = threads > 0 ? threads : properties.handlers().concurrency();
          relay.to(
              name,
              route::accepts,
              new HandlerPublisher(
                  name, route, HandlerThreads.of(name, concurrency, sources.environment())));
        });
    return relay;
  }

  private RelayBuilder relay(String subscription) {
    RelayProperties all = properties.relay();
    SubscriptionProperties own = properties.subscriptions().get(subscription);
    RetryPolicy retry = retry(subscription);
    RelayBuilder relay = sources.outledger().relay(subscription);
    if (own != null && own.startNow()) {
      relay.from(Start.NOW);
    }
    sources.listeners(subscription).forEach(relay::listener);
    return relay
        .options(
            options ->
                options
                    .lease(all.lease())
                    .polling(polling -> polling.withIdle(all.pollInterval()))
                    .retry(retry))
        .handOverMax(all.handOverMax());
  }

  private RetryPolicy retry(String subscription) {
    return Retries.of(
        subscription, properties.relay(), properties.subscriptions().get(subscription));
  }

  @Override
  public synchronized void stop() {
    RunningRelay.closeAll(running);
    running.clear();
  }

  @Override
  public synchronized boolean isRunning() {
    return !running.isEmpty();
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
