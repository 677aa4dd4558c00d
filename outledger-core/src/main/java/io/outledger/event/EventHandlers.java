// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Require;
import io.outledger.Setting;
import io.outledger.UnreadablePayloadException;
import io.outledger.inbox.Received;
import io.outledger.store.Declaration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Event handlers by event class. Finds the handler for the type and version of a message and reads
 * the payload. Immutable; thread-safe if the handlers are. No I/O.
 *
 * @param <C> the context that handlers receive with the event
 */
public final class EventHandlers<C> {

  /** How these handlers treat the type of a message. */
  public enum Match {
    /** It is to be handled; reading it tells whether that is possible. */
    HANDLED,
    /** It is registered, and no handler names it: there is nothing to do. */
    NOT_NAMED,
    /** Nothing of its name is registered: there is nothing to do, and somebody should know. */
    UNREGISTERED
  }

  /**
   * A payload that was read, and what is to be done with it.
   *
   * @param <C> the context that the handler receives with the event
   */
  @FunctionalInterface
  public interface Call<C> {

    /**
     * Hands the event to its handler.
     *
     * @throws Exception what the handler throws
     */
    void run(C context) throws Exception;
  }

  private final Events events;
  private final Map<Class<?>, EventHandler<Object, C>> handlers;
  private final Set<String> names = new HashSet<>();
  private final boolean refusesUnregistered;
  private final UnaryOperator<Call<C>> within;

  private EventHandlers(Events events, Builder<C> builder) {
    this.events = events;
    this.handlers = Map.copyOf(builder.handlers);
    this.refusesUnregistered = builder.refusesUnregistered;
    this.within = builder.within;
    for (Class<?> eventClass : handlers.keySet()) {
      names.addAll(namesOf(eventClass));
    }
  }

  /**
   * Makes them.
   *
   * @param events reads payloads
   * @param choices names the classes and what is done with each
   * @throws ConfigurationException {@code OUT-011} if a class is not registered, {@code OUT-021} if
   *     none is named, or one twice
   */
  public static <C> EventHandlers<C> of(Events events, Consumer<Builder<C>> choices) {
    return of(events, choices, new Builder<>(false));
  }

  /**
   * Makes those that are each called within a transaction, which is also the one that remembers the
   * message as handled. Some handlers need that, such as those of a saga, and refuse any other at
   * the start; see {@link Builder#isInTransactions()}.
   *
   * @param events reads payloads
   * @param choices names the classes and what is done with each
   * @throws ConfigurationException as {@link #of} does
   */
  public static <C> EventHandlers<C> inTransactions(Events events, Consumer<Builder<C>> choices) {
    return of(events, choices, new Builder<>(true));
  }

  private static <C> EventHandlers<C> of(
      Events events, Consumer<Builder<C>> choices, Builder<C> builder) {
    Require.nonNull("events", events);
    Require.nonNull("choices", choices).accept(builder);
    if (builder.handlers.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "no handler was added; add at least one: h -> h.on(OrderPlaced.class, (order, context)"
              + " -> …)");
    }
    return new EventHandlers<>(events, builder);
  }

  /**
   * Returns how these handlers treat a message's type and version. A version that is not
   * registered, of a type that a handler names, is {@link Match#HANDLED}: its reading fails,
   * because a message that only a newer reader understands must not be passed over.
   */
  public Match match(String type, int version) {
    Require.nonNull("type", type);
    List<EventType<?>> known = events.types().readAs(type, version);
    if (!known.isEmpty()) {
      return known.stream().anyMatch(each -> handlers.containsKey(each.eventClass()))
          ? Match.HANDLED
          : Match.NOT_NAMED;
    }
    return refusesUnregistered || names.contains(type) ? Match.HANDLED : Match.UNREGISTERED;
  }

  /**
   * Returns the types that these handlers name, also by their former names, and in the versions
   * that upcasts read, each as {@link Declaration#type} writes it.
   */
  public Set<String> declaredTypes() {
    Set<String> declared = new TreeSet<>();
    for (Class<?> eventClass : handlers.keySet()) {
      events.types().of(eventClass).reads().forEach(name -> declared.add(name.toString()));
    }
    return declared;
  }

  /**
   * Reads a message of a ledger.
   *
   * @return what is to be done with it; nothing, where no handler names its class
   * @throws UnreadablePayloadException {@code OUT-011} if its type or version is not registered,
   *     {@code OUT-015} if it cannot be read, or its header {@value Events#CONTENT_TYPE} names a
   *     media type that the serializer does not read
   */
  public Call<C> read(Message message) {
    return read(StoredPayload.of(message));
  }

  /** Reads a message that was received, as {@link #read(Message)} does. */
  public Call<C> read(Received message) {
    return read(StoredPayload.of(message));
  }

  private Call<C> read(StoredPayload payload) {
    EventReading.Read read = events.reading(payload);
    EventHandler<Object, C> handler = handlers.get(read.type().eventClass());
    if (handler == null) {
      return context -> {};
    }
    return within.apply(context -> handler.handle(read.event(), context));
  }

  private Set<String> namesOf(Class<?> eventClass) {
    try {
      return events.types().of(eventClass).reads().stream()
          .map(TypeVersion::name)
          .collect(Collectors.toSet());
    } catch (InvalidMessageException e) {
      throw new ConfigurationException(
          ErrorCode.UNREGISTERED_TYPE,
          "a handler was added for "
              + eventClass.getName()
              + ", which is not registered as an event type; it needs "
              + Setting.EVENT_TYPE);
    }
  }

  /**
   * Collects handlers. Not thread-safe.
   *
   * @param <C> the context that handlers receive with the event
   */
  public static final class Builder<C> {

    private final Map<Class<?>, EventHandler<Object, C>> handlers = new LinkedHashMap<>();
    private final boolean isInTransactions;
    private boolean refusesUnregistered;
    private UnaryOperator<Call<C>> within = call -> call;

    private Builder(boolean isInTransactions) {
      this.isInTransactions = isInTransactions;
    }

    /**
     * Returns whether each handler is called within the transaction that remembers the message as
     * handled; see {@link EventHandlers#inTransactions}.
     */
    public boolean isInTransactions() {
      return isInTransactions;
    }

    /**
     * Adds the handler of an event class. Messages of other types are skipped.
     *
     * @param eventClass a registered class, matched exactly
     * @param handler handles each event of that class
     * @throws ConfigurationException {@code OUT-021} if something is null, or the class was named
     *     before
     */
    public <E> Builder<C> on(Class<E> eventClass, EventHandler<? super E, ? super C> handler) {
      Require.nonNull("eventClass", eventClass);
      Require.nonNull("handler of " + eventClass.getName(), handler);
      EventHandler<Object, C> untyped =
          (event, context) -> handler.handle(eventClass.cast(event), context);
      if (handlers.putIfAbsent(eventClass, untyped) != null) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION,
            "two handlers were added for " + eventClass.getName() + "; add one");
      }
      return this;
    }

    /**
     * Has each handler called within something else, such as an observation. Of several, the last
     * counts.
     *
     * @param value from what calls a handler to what is called in its place; thread-safe
     * @throws ConfigurationException {@code OUT-021} if it is null
     */
    public Builder<C> within(UnaryOperator<Call<C>> value) {
      within = Require.nonNull("within", value);
      return this;
    }

    /**
     * Has a message fail with {@code OUT-011} if nothing of its type's name is registered; by
     * default it is passed over and counted.
     */
    public Builder<C> refuseUnregistered() {
      refusesUnregistered = true;
      return this;
    }
  }
}
