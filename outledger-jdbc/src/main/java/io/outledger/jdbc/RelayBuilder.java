// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Name;
import io.outledger.Outbox;
import io.outledger.OutledgerException;
import io.outledger.Printable;
import io.outledger.Problems;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.event.EventHandlers;
import io.outledger.jdbc.HandlerRoutes.Part;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.publish.Publisher;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.Slots;
import io.outledger.relay.context.ReadAhead;
import io.outledger.relay.handler.MessageHandler;
import io.outledger.relay.handler.PositionedHandler;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.listener.RelayLog;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.saga.Saga;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Builds a relay for a subscription: its destinations, its start and its options. Not thread-safe.
 */
public final class RelayBuilder {

  private static final int HANDLER_THREADS = 4;
  private static final Duration DECLARING_MAX = Duration.ofSeconds(10);

  private final String subscription;
  private final RelayParts parts;
  private final Function<String, JdbcInbox> inboxes;
  private final RelayOptions.Builder options = RelayOptions.builder();
  private final List<Route> routes = new ArrayList<>();
  private final HandlerRoutes handlers = new HandlerRoutes();
  private final List<JdbcInbox> handlerInboxes = new ArrayList<>();
  private final Set<String> repeated = new LinkedHashSet<>();
  private Start start = Start.EARLIEST;
  private RelayListener listener = event -> {};
  private int partitions = 1;
  private int handlerThreads = HANDLER_THREADS;
  private Duration handOverMax = Duration.ofSeconds(10);

  RelayBuilder(String subscription, RelayParts parts, Function<String, JdbcInbox> inboxes) {
    this.subscription = subscription;
    this.parts = parts;
    this.inboxes = inboxes;
  }

  /**
   * Sends every message to a publisher.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public RelayBuilder to(Publisher publisher) {
    routes.add(Route.only(Require.nonNull("publisher", publisher)));
    return this;
  }

  /**
   * Adds a route, which sends the messages that it accepts to a publisher. Each route settles and
   * parks independently.
   *
   * @param name the route's name, which must not change, see {@link Outledger#relay}
   * @param accepts which messages the route takes, as they stand in the ledger, before any
   *     transform. Every instance declares it: while old and new versions run side by side, one
   *     without the route, or with a narrower one, parks its messages for one that has it
   * @throws ConfigurationException {@code OUT-006} if the name is not valid, {@code OUT-021} if
   *     something is null
   */
  public RelayBuilder to(String name, Accepts accepts, Publisher publisher) {
    routes.add(new Route(Name.check("route", name), publisher, accepts));
    return this;
  }

  /**
   * Adds a handler in this application for every message. Outledger runs it in a transaction that
   * also contains the inbox row, so that each message takes effect once, however often it is
   * delivered.
   *
   * @param name the handler's name, which must not change, see {@link Outledger#relay}
   */
  public RelayBuilder handler(String name, TransactionalHandler handler) {
    Require.nonNull("handler", handler);
    return add(name, inboxOf(name).handler(subscription, handler), Accepts.everything());
  }

  /**
   * Adds handlers in this application by event class. Outledger runs each in a transaction that
   * also contains the inbox row, so that each message takes effect once. A message whose type has
   * no handler is settled without a transaction or an inbox row. A message of an unregistered type
   * is also skipped, and counted by {@link Outledger#passedOver()}.
   *
   * <pre>{@code
   * relay.handler("mail", h -> h.on(OrderPlaced.class, (order, context) -> mails.queue(order)));
   * }</pre>
   *
   * @param name the name under which their messages are retried and parked; it must not change, see
   *     {@link Outledger#relay}
   * @param handlers adds a handler for each event class
   * @throws ConfigurationException {@code OUT-006} if the name is not valid, {@code OUT-011} if a
   *     class is not registered, {@code OUT-021} if no class is named, or one twice
   */
  public RelayBuilder handler(String name, Consumer<EventHandlers.Builder<EventContext>> handlers) {
    JdbcInbox inbox = inboxOf(name);
    TypedWork work = inbox.typed(handlers);
    return add(name, inbox.handler(subscription, work), work.accepts());
  }

  /**
   * Adds a saga of this application: a typed handler that has the saga's name and runs its steps.
   * Outledger runs each in a transaction that also contains the inbox row and the saga's row.
   *
   * @param saga always the same object for one saga, also in other relays
   * @throws ConfigurationException {@code OUT-040} if what the saga says of itself cannot work, or
   *     another saga has its name; {@code OUT-011} if a class is not registered, {@code OUT-021} if
   *     the serializer cannot write its state
   */
  public RelayBuilder saga(Saga<?> saga) {
    String name = parts.sagas().name(saga);
    return handler(name, parts.sagas().handlers(saga));
  }

  /**
   * Adds a handler in this application that manages its own effects. It gets no transaction and no
   * inbox row, and may receive a message again after a crash.
   *
   * @param name the handler's name, which must not change, see {@link Outledger#relay}
   */
  public RelayBuilder handlerWithoutTransaction(String name, MessageHandler handler) {
    return add(name, Require.nonNull("handler", handler), Accepts.everything());
  }

  /**
   * Adds handlers in this application by event class, in transactions that a framework runs: what
   * they call joins its transaction, which also contains the inbox row. Otherwise like {@link
   * #handler(String, Consumer)}.
   *
   * @param name the handlers' name, which must not change, see {@link Outledger#relay}
   * @param framework makes each transaction, not begun yet; called by several threads
   * @param outbox what handlers append to, in the framework's transaction; see {@link
   *     JdbcOutbox#boundTo}
   * @param handlers adds a handler for each event class
   * @throws ConfigurationException as {@link #handler(String, Consumer)} does
   */
  public RelayBuilder handler(
      String name,
      Supplier<FrameworkTransaction> framework,
      Outbox outbox,
      Consumer<EventHandlers.Builder<EventContext>> handlers) {
    Require.nonNull("framework", framework);
    Require.nonNull("outbox", outbox);
    JdbcInbox inbox = inboxOf(name);
    TypedWork work = inbox.typed(handlers, connection -> outbox);
    return add(name, new FrameworkHandler(subscription, inbox, work, framework), work.accepts());
  }

  private JdbcInbox inboxOf(String name) {
    JdbcInbox inbox = inboxes.apply(subscription + "/" + Name.check("handler", name));
    handlerInboxes.add(inbox);
    return inbox;
  }

  private RelayBuilder add(String name, PositionedHandler handler, Accepts concerns) {
    if (!handlers.add(Name.check("handler", name), handler, concerns)) {
      repeated.add(name);
    }
    return this;
  }

  /** Sets where the subscription starts when it is created; the default is the earliest message. */
  public RelayBuilder from(Start value) {
    start = Require.nonNull("from", value);
    return this;
  }

  /**
   * Sets the options of the relay: lease, retries, transforms and limits. May be called more than
   * once.
   */
  public RelayBuilder options(Consumer<RelayOptions.Builder> value) {
    Require.nonNull("options", value).accept(options);
    return this;
  }

  /** Adds a listener. The listener that writes the log always remains. */
  public RelayBuilder listener(RelayListener value) {
    listener = listener.and(Require.nonNull("listener", value));
    return this;
  }

  /**
   * Sets how many messages each handler processes at a time; the default is 4. Every handler has
   * its own threads, so a slow handler does not delay the others until all messages in the window
   * wait for it. Each thread of a transactional handler uses a connection of the application's data
   * source.
   *
   * @param value 1 or more; checked by {@link #build()}
   */
  public RelayBuilder handlerThreads(int value) {
    handlerThreads = value;
    return this;
  }

  /**
   * Divides the subscription's keys into partitions, so that several processes work at the same
   * time: each partition has its own cursor and lease, and the processes that run the subscription
   * share them. Messages of one key stay in order. For slow handlers and slow destinations; it does
   * not make reading faster, since each partition reads the whole ledger. The default is 1.
   *
   * <p>A process has {@link #handlerThreads} for each handler, whatever number of partitions it
   * has. A partition uses half of them at most, and no second one while another that the process
   * owns would have none. It also has a connection, and a client of each publisher, for each
   * partition. Listeners are called by several threads, see {@link RelayListener#ofPartition}.
   *
   * <p>The first start of the subscription defines the number. A process with another one is
   * refused with {@code OUT-060}, by its log and status, and publishes nothing.
   *
   * @param value 1 to 64; checked by {@link #build()}
   */
  public RelayBuilder partitions(int value) {
    partitions = value;
    return this;
  }

  /**
   * Sets how long a stop waits for messages in flight; the default is 10 seconds.
   *
   * @param value zero or more; checked by {@link #build()}
   */
  public RelayBuilder handOverMax(Duration value) {
    handOverMax = Require.nonNull("handOverMax", value);
    return this;
  }

  /**
   * Builds a relay that the caller steps or drains, and closes; not of a divided subscription.
   * Performs no I/O. Only {@link Relay#wakeup()} wakes it. If there are several problems, the
   * exception lists each with its code; its own code is {@code OUT-021} if theirs differ.
   *
   * @throws ConfigurationException {@code OUT-018} if the inbox of a handler forgets ids before the
   *     retries end, {@code OUT-021} if there is no destination, two have one name, or an option is
   *     not valid
   * @throws StoreException {@code OUT-026} if the {@link Outledger} was closed
   */
  public Relay build() {
    parts.openState().require("build a relay");
    if (partitions != 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "a relay of a divided subscription can only be started; call start() instead of build()");
    }
    RelayOptions built = checked();
    CursorKey key = CursorKey.of(subscription);
    return new Relay(
        parts.store(key, start, built.lease(), new Slots(1)),
        allRoutes(built.transforms(), handlers.threads(subscription, handlerThreads), Part.ALL),
        built,
        parts
            .statuses()
            .listener(key)
            .and(new RelayLog(subscription, parts.time()))
            .and(listener), // last: what it throws keeps nobody else from hearing
        new Relay.Surroundings(
            parts.time(),
            new SecureRandom(),
            ReadAhead.onThread("outledger-reader-" + subscription)));
  }

  /**
   * Builds a relay, declares its routes and handlers in the database, and runs it on its own
   * thread. From then on no instance settles a message that commits without them, whatever version
   * of the application it runs. So this fails where it cannot declare them: what this process
   * appended next could be settled without them. Only a subscription or route that was renamed has
   * nothing to declare under its old name; its relay starts, is refused with {@code OUT-037}, and
   * tells so. Commits of this process wake it; its own {@code close()} or {@link Outledger#close()}
   * stops it. Also starts the retention, unless {@link OutledgerBuilder#withoutRetention()}
   * disabled it.
   *
   * @throws ConfigurationException as {@link #build()} does, and if the server takes no writes
   * @throws StoreException {@code OUT-016} or {@code OUT-027} if the database failed, or gave no
   *     answer for 10 seconds: nothing was started; {@code OUT-026} if this was closed
   */
  public RunningRelay start() {
    return parts
        .openState()
        .start(
            "start a relay",
            () -> {
              RunningRelay running = partitions == 1 ? startOne() : startPartitions();
              Destinations destinations = new Destinations(subscription, routes);
              destinations.tell();
              parts.open().add(subscription, running, destinations.byRoute());
              parts.startInBackground().run();
              return running;
            });
  }

  private RunningRelay startOne() {
    return RunningRelay.start(declared(build()), subscription, parts.time(), handOverMax);
  }

  private RunningRelay startPartitions() {
    RelayOptions built = checked();
    Map<String, Executor> threads = handlers.threads(subscription, handlerThreads);
    return new PartitionRelays(subscription, new Slots(partitions), start, built, listener)
        .start(
            parts,
            part -> allRoutes(built.transforms(), threads, part),
            this::declared,
            handOverMax);
  }

  /** Over a connection that is closed again: the relay's own belongs to its thread. */
  private Relay declared(Relay relay) {
    CursorKey key = CursorKey.of(subscription); // what is declared belongs to no partition
    try (RelayStore store = parts.store(key, start, DECLARING_MAX, new Slots(1))) {
      relay.declareOver(store);
    } catch (Throwable e) {
      boolean isRenamed =
          e instanceof OutledgerException known && known.code() == ErrorCode.RENAMED;
      if (!isRenamed) { // else others have declared it in its new name, and the relay is refused
        relay.close();
        throw e;
      }
    }
    return relay;
  }

  private RelayOptions checked() {
    Problems problems = Problems.of("the relay of subscription \"" + subscription + '"');
    Optional<RelayOptions> built = problems.attempt(options::build);
    problems.require(
        handlerThreads >= 1, "handlerThreads is " + handlerThreads + " but must be 1 or more");
    problems.require(
        partitions >= 1 && partitions <= Slots.MAX,
        "partitions is " + partitions + " but must be 1 to " + Slots.MAX);
    problems.require(
        partitions == 1 || handlers.names().isEmpty() || handlerThreads >= 2,
        "handlerThreads must be 2 or more with partitions, so that one that is stuck leaves some");
    problems.require(
        partitions == 1 || parts.hasOwnDataSource(),
        "each partition keeps a connection; give Outledger.builder(…) a relayDataSource(…)");
    problems.require(
        partitions == 1 || routes.stream().allMatch(route -> route.publisher().allowsSeveral()),
        "a destination allows only one client at a time, and each partition opens one");
    problems.require(
        !handOverMax.isNegative(),
        "handOverMax is " + Printable.span(handOverMax) + " but must not be negative");
    problems.require(
        !routes.isEmpty() || !handlers.names().isEmpty(),
        "there is no destination; add one with to(…) or handler(…)");
    Set<String> names = new HashSet<>(handlers.names());
    routes.stream().map(Route::name).filter(name -> !names.add(name)).forEach(repeated::add);
    for (String name : repeated) {
      problems.add(
          name.isEmpty()
              ? "to(publisher) is called twice; name the routes: to(name, accepts, publisher)"
              : "the name \""
                  + name
                  + "\" is used for two routes or handlers; give each its own name");
    }
    if (built.isPresent()) {
      Duration retries = built.get().retry().span();
      handlerInboxes.forEach(inbox -> problems.check(() -> inbox.covers(retries)));
    }
    problems.refuse();
    return built.orElseThrow();
  }

  private List<Route> allRoutes(Transforms transforms, Map<String, Executor> threads, Part part) {
    List<Route> all = new ArrayList<>(HandlerRoutes.on(routes, part));
    all.addAll(handlers.routes(transforms, threads, each -> part.of(each, handlerThreads)));
    return all;
  }
}
