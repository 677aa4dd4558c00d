// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.Message;
import io.outledger.Name;
import io.outledger.event.EventHandlers;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.publish.Publisher;
import io.outledger.relay.HandlerPublisher;
import io.outledger.relay.MessageHandler;
import io.outledger.relay.PositionedHandler;
import io.outledger.relay.ReadAhead;
import io.outledger.relay.Relay;
import io.outledger.relay.RelayListener;
import io.outledger.relay.RelayLog;
import io.outledger.relay.RelayOptions;
import io.outledger.relay.Route;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.Transforms;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.time.TimeSource;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Collects what a subscription's relay is to be: where its messages go, where it starts, and how it
 * works. Not thread-safe.
 */
public final class RelayBuilder {

  private static final int HANDLER_THREADS = 4;

  private final String subscription;
  private final Parts parts;
  private final Function<String, JdbcInbox> inboxes;
  private final RelayOptions.Builder options = RelayOptions.builder();
  private final List<Route> routes = new ArrayList<>();
  private final Map<String, Handling> handlers = new LinkedHashMap<>();
  private final List<JdbcInbox> handlerInboxes = new ArrayList<>();
  private Start start = Start.EARLIEST;
  private RelayListener listener;
  private int handlerThreads = HANDLER_THREADS;
  private Duration handOverMax = Duration.ofSeconds(10);

  RelayBuilder(String subscription, Parts parts, Function<String, JdbcInbox> inboxes) {
    this.subscription = subscription;
    this.parts = parts;
    this.inboxes = inboxes;
    this.listener = new RelayLog(subscription, parts.time());
  }

  /** A handler, and which messages it has to be handed. */
  private record Handling(PositionedHandler handler, Predicate<Message> concerns) {}

  /** What relays are made of that come from one {@link Outledger}. */
  record Parts(
      Function<RelaySubscription, RelayStore> stores,
      OpenRelays open,
      StatusBoard statuses,
      Life life,
      TimeSource time,
      Runnable startRetention) {}

  /**
   * Sends every message to a publisher.
   *
   * @throws ConfigurationException {@code OUT-021} where it is null
   */
  public RelayBuilder to(Publisher publisher) {
    routes.add(Route.only(Given.check("publisher", publisher)));
    return this;
  }

  /**
   * Sends those messages to a publisher that it accepts. Each route settles and parks for itself.
   *
   * @param name the route's name, which must never change
   * @param accepts says of a message, as it stands in the ledger, before any transform, whether the
   *     route gets it
   * @throws ConfigurationException {@code OUT-006} where the name is not valid, {@code OUT-021}
   *     where something is null
   */
  public RelayBuilder to(String name, Predicate<Message> accepts, Publisher publisher) {
    routes.add(new Route(Name.check("route", name), publisher, accepts));
    return this;
  }

  /**
   * Hands every message to a handler in this application, in a transaction of its own and with its
   * inbox row: its effect happens once, however often the message is delivered.
   *
   * @param name the handler's name, which must never change
   */
  public RelayBuilder handler(String name, TransactionalHandler handler) {
    Given.check("handler", handler);
    return add(name, inboxOf(name).handler(subscription, handler), message -> true);
  }

  /**
   * Hands events to handlers in this application by their class, each message in a transaction of
   * its own and with its inbox row: its effect happens once. A message whose type none of them
   * names is settled without either; one whose type is not registered is passed over as well, and
   * counted by {@link Outledger#passedOver()}.
   *
   * <pre>{@code
   * relay.handler("mail", h -> h.on(OrderPlaced.class, (order, context) -> mails.queue(order)));
   * }</pre>
   *
   * @param name the name under which all of them are retried and parked, which must never change
   * @param handlers names the classes and what is done with each
   * @throws ConfigurationException {@code OUT-006} where the name is not valid, {@code OUT-011}
   *     where a class is not registered, {@code OUT-021} where no class is named, or one twice
   */
  public RelayBuilder handler(String name, Consumer<EventHandlers.Builder<EventContext>> handlers) {
    JdbcInbox inbox = inboxOf(name);
    TypedWork work = inbox.typed(handlers);
    return add(name, inbox.handler(subscription, work), work::concerns);
  }

  /**
   * Hands every message to a handler in this application that sees to its own effects: it gets no
   * transaction and no inbox row, and may see a message again after a crash.
   *
   * @param name the handler's name, which must never change
   */
  public RelayBuilder handlerWithoutTransaction(String name, MessageHandler handler) {
    return add(name, Given.check("handler", handler), message -> true);
  }

  private JdbcInbox inboxOf(String name) {
    JdbcInbox inbox = inboxes.apply(subscription + "/" + Name.check("handler", name));
    handlerInboxes.add(inbox);
    return inbox;
  }

  private RelayBuilder add(String name, PositionedHandler handler, Predicate<Message> concerns) {
    Handling handling = new Handling(handler, concerns);
    if (handlers.putIfAbsent(Name.check("handler", name), handling) != null) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "the handler " + name + " is added twice");
    }
    return this;
  }

  /** Sets where the subscription starts when it is made; the default is the earliest message. */
  public RelayBuilder from(Start value) {
    start = Given.check("start", value);
    return this;
  }

  /** Sets how the relay works: lease, retries, steps and limits. May be said more than once. */
  public RelayBuilder options(Consumer<RelayOptions.Builder> value) {
    Given.check("choice of options", value).accept(options);
    return this;
  }

  /** Adds a listener, besides the one that writes the log. */
  public RelayBuilder listener(RelayListener value) {
    listener = listener.and(Given.check("listener", value));
    return this;
  }

  /**
   * Sets how many messages each handler works on at a time; the default is 4. Every handler has
   * threads of its own, so one that is slow delays no other, until all that the relay may have read
   * waits for it. Each thread of a transactional one takes a connection of the application's data
   * source.
   */
  public RelayBuilder handlerThreads(int value) {
    handlerThreads = value;
    return this;
  }

  /** Sets how long a stop waits for what is in flight; the default is 10 seconds. */
  public RelayBuilder handOverMax(Duration value) {
    if (Given.check("time of a hand-over", value).isNegative()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "handOverMax is " + value + " but must not be negative");
    }
    handOverMax = value;
    return this;
  }

  /**
   * Builds a relay to be stepped or drained by the caller, who closes it. No I/O. It is woken by
   * its own {@link Relay#wakeup()} alone.
   *
   * @throws ConfigurationException {@code OUT-018} where a handler's inbox forgets sooner than the
   *     retries end, {@code OUT-021} where nothing was said of where messages go, or options are
   *     not valid
   */
  public Relay build() {
    parts.life().require("build a relay");
    RelayOptions built = options.build();
    if (handlerThreads < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "handlerThreads is " + handlerThreads + " but must be 1 or more");
    }
    handlerInboxes.forEach(inbox -> inbox.covers(built.retry().span()));
    return new Relay(
        parts
            .stores()
            .apply(new RelaySubscription(new CursorKey(subscription, 0), start, built.lease())),
        allRoutes(built.transforms()),
        built,
        listener.and(parts.statuses().listener(subscription)),
        new Relay.Surroundings(
            parts.time(),
            new SecureRandom(),
            ReadAhead.onThread("outledger-reader-" + subscription)));
  }

  /**
   * Builds a relay and runs it on a thread of its own. It is woken by commits of this process, and
   * stopped by its own {@code close()} or by {@link Outledger#close()}. Retention is started with
   * it, unless {@link Outledger.Builder#withoutRetention()} switched that off.
   *
   * @throws ConfigurationException as {@link #build()} does
   * @throws io.outledger.StoreException {@code OUT-026} where the {@link Outledger} was closed
   */
  public RunningRelay start() {
    return parts
        .life()
        .start(
            "start a relay",
            () -> {
              RunningRelay running =
                  RunningRelay.start(build(), subscription, parts.time(), handOverMax);
              parts.open().add(running);
              parts.startRetention().run();
              return running;
            });
  }

  private List<Route> allRoutes(Transforms transforms) {
    List<Route> all = new ArrayList<>(routes);
    handlers.forEach(
        (name, handling) -> {
          Executor threads = HandlerThreads.of(subscription, name, handlerThreads);
          all.add(
              new Route(
                  name,
                  new HandlerPublisher(name, handling.handler(), threads),
                  // A route is asked before the transforms: their result may concern it.
                  transforms.mayChangeMessages() ? message -> true : handling.concerns()));
        });
    return all;
  }
}
