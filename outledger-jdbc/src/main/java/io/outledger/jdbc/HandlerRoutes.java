// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.relay.handler.HandlerPublisher;
import io.outledger.relay.handler.PositionedHandler;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The handlers of a relay, by their names, and the routes to them. Not thread-safe. */
final class HandlerRoutes {

  private final Map<String, Handling> handlers = new LinkedHashMap<>();

  /** A handler, and which messages it has to be handed. */
  private record Handling(PositionedHandler handler, Accepts concerns) {}

  /** What of a handler's threads a relay may use. */
  @FunctionalInterface
  interface Part {

    /** All of them. */
    Part ALL = (all, count) -> all;

    /**
     * Returns it.
     *
     * @param all the handler's threads
     * @param count how many they are
     */
    Executor of(Executor all, int count);
  }

  /** Adds a handler; returns whether its name was free. */
  boolean add(String name, PositionedHandler handler, Accepts concerns) {
    return handlers.putIfAbsent(name, new Handling(handler, concerns)) == null;
  }

  Set<String> names() {
    return handlers.keySet();
  }

  /** Returns, by handler, threads of its own. */
  Map<String, Executor> threads(String subscription, int count) {
    Map<String, Executor> threads = new LinkedHashMap<>();
    handlers
        .keySet()
        .forEach(name -> threads.put(name, HandlerThreads.of(subscription, name, count)));
    return threads;
  }

  /** Returns routes of which those to handlers, made by others, use a part of their threads. */
  static List<Route> on(List<Route> routes, Part part) {
    return routes.stream()
        .map(
            route ->
                route.publisher() instanceof HandlerPublisher given
                    ? new Route(
                        route.name(),
                        given.on(all -> part.of(all, given.threads())),
                        route.accepts())
                    : route)
        .toList();
  }

  /**
   * Returns a route to each handler.
   *
   * @param threads of all handlers, by name
   * @param part what of a handler's threads the routes may use
   */
  List<Route> routes(
      Transforms transforms, Map<String, Executor> threads, UnaryOperator<Executor> part) {
    List<Route> all = new ArrayList<>();
    Function<String, Executor> own = name -> part.apply(threads.get(name));
    handlers.forEach(
        (name, handling) ->
            all.add(
                new Route(
                    name,
                    new HandlerPublisher(name, handling.handler(), own.apply(name)),
                    // where nothing changes a message, what transforms refuse is told by its type
                    transforms.mayChangeMessages()
                        ? handling.concerns().ofResult()
                        : handling.concerns())));
    return all;
  }
}
