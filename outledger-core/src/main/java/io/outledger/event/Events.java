// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.MessageIds;
import io.outledger.MessageLimits;
import io.outledger.Problems;
import io.outledger.Require;
import io.outledger.Setting;
import io.outledger.UnreadablePayloadException;
import io.outledger.inbox.Received;
import io.outledger.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts events to messages and payloads back to events, and checks messages before an outbox
 * appends them. Thread-safe, no I/O. Immutable, but for its {@linkplain #unknownFields() counts}.
 */
public final class Events {

  /** The default of the most bytes of a payload: 1 MiB. */
  public static final int PAYLOAD_BYTES_MAX = 1_048_576;

  /** The header that carries the serializer's media type. */
  public static final String CONTENT_TYPE = "content-type";

  private final EventTypes types;
  private final EventReading reading;
  private final @Nullable PayloadSerializer serializer;
  private final int payloadBytesMax;
  private final MessageIds ids;
  private final TimeSource time;
  private final ContextPropagator context;
  private final UnknownFields unknownFields = new UnknownFields();

  private Events(Builder builder) {
    this.types = builder.types;
    this.reading = new EventReading(types, this::serializer);
    this.serializer = builder.serializer;
    this.payloadBytesMax = builder.payloadBytesMax;
    this.ids = builder.ids;
    this.time = builder.time;
    this.context = builder.context;
  }

  /** Returns a builder without types or serializer, with the default payload limit. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns what carries the context of threads with messages. */
  public ContextPropagator context() {
    return context;
  }

  /** Returns the registered types. */
  public EventTypes types() {
    return types;
  }

  /** Returns the media types of payloads that the serializer reads; none where there is none. */
  public Set<String> contentTypes() {
    return serializer == null ? Set.of() : Set.copyOf(serializer.contentTypes());
  }

  /**
   * Converts an event to a message with a new id and the current time. Skips the guard, enrichment
   * and mapping. To set your own id, copy the message: {@code
   * events.message(event).copy().id(id).build()}.
   *
   * @throws InvalidMessageException {@code OUT-011} if its class is not registered, {@code OUT-012}
   *     if it has no key and needs one, {@code OUT-013} if its payload is too large, {@code
   *     OUT-014} if a field breaks {@link MessageLimits}, {@code OUT-015} if it cannot be
   *     serialised
   */
  public Message message(Object event) {
    EventType<?> type = types.of(Require.nonNull("event", event).getClass());
    PayloadSerializer writer = serializer(type.name());
    Message.Builder builder =
        Message.to(type.topic(), type.name())
            .id(ids.next())
            .version(type.version())
            .time(time.now())
            .header(CONTENT_TYPE, writer.contentType());
    String key = type.keyOf(event);
    if (key != null && !key.isEmpty()) {
      builder.key(key);
    } else if (type.keyed()) {
      throw missingKey("the event " + type.name() + " v" + type.version(), type.topic());
    }
    for (Map.Entry<String, String> header : type.headersOf(event).entrySet()) {
      builder.header(header.getKey(), header.getValue());
    }
    Message message = builder.payload(writer.write(event)).build();
    checkPayload(message);
    return message;
  }

  /**
   * Converts events and messages to messages for an outbox that offers no resources to guards,
   * enrichments and mappings; see {@link #messages(Collection, Function)}.
   */
  public List<Message> messages(Collection<?> eventsOrMessages) {
    return messages(eventsOrMessages, type -> null);
  }

  /**
   * Converts events and messages to messages, in the order given. Each event passes its guard,
   * enrichment and mapping, and each message gets the headers of the calling thread's {@linkplain
   * ContextPropagator context}. An outbox calls this method before it writes anything, so that one
   * invalid element prevents the whole append.
   *
   * @param eventsOrMessages events of registered classes, messages, and builders of messages, which
   *     get an id and a time here unless they have one; in any mixture
   * @param resources what the outbox has of a type, for {@link AppendContext#resource}; null where
   *     it has none
   * @throws InvalidMessageException as {@link #message} and {@link #check} do, for the first bad
   *     one; {@code OUT-024} if a guard refuses
   * @throws io.outledger.StoreException {@code OUT-027} if a guard, enrichment or mapping throws a
   *     checked exception
   */
  public List<Message> messages(
      Collection<?> eventsOrMessages, Function<Class<?>, @Nullable Object> resources) {
    AppendContext appending = new EventsContext(this, Require.nonNull("resources", resources));
    CarriedHeaders carried = new CarriedHeaders(context.capture());
    List<Message> messages =
        new ArrayList<>(Require.nonNull("eventsOrMessages", eventsOrMessages).size());
    for (Object each : eventsOrMessages) {
      if (each == null) {
        throw nothing("the appended elements", messages.size());
      }
      EventTransforms<?> transforms = types.transformsOf(each.getClass());
      if (transforms == null) {
        messages.add(checked(each, carried));
        continue;
      }
      for (Object published : transforms.published(each, appending)) {
        if (published == null) {
          throw nothing("the result of a mapping", messages.size());
        }
        messages.add(checked(published, carried));
      }
    }
    return messages;
  }

  private Message checked(Object eventOrMessage, CarriedHeaders carried) {
    if (eventOrMessage instanceof Message message) {
      Message all = carried.on(message);
      check(all);
      return all;
    }
    if (eventOrMessage instanceof Message.Builder started) {
      return checked(started.build(ids, time), carried);
    }
    ManyEvents.refuse(eventOrMessage);
    return carried.on(message(eventOrMessage));
  }

  private static InvalidMessageException nothing(String what, int place) {
    return new InvalidMessageException(
        ErrorCode.INVALID_MESSAGE, "element " + place + " of " + what + " is null");
  }

  /**
   * Checks that a message may be appended.
   *
   * @throws InvalidMessageException {@code OUT-012} if its topic needs a key that it lacks, {@code
   *     OUT-013} if its payload is too large, {@code OUT-014} if it breaks {@link MessageLimits}
   */
  public void check(Message message) {
    MessageLimits.check(Require.nonNull("message", message));
    if (message.key() == null && types.requiresKey(message.topic())) {
      throw missingKey("message " + message.id(), message.topic());
    }
    checkPayload(message);
  }

  /**
   * Reads an event, whatever the media type of its payload. The class is the one that is registered
   * under the name and version, or to whose version {@linkplain EventType.Builder#upcast upcasts}
   * lead. Fields in the payload that the class does not have are ignored, and counted by {@link
   * #unknownFields()}.
   *
   * @throws UnreadablePayloadException {@code OUT-011} if none is registered, {@code OUT-015} if
   *     the payload cannot be read
   */
  public Object read(String type, int version, byte[] payload) {
    return reading(StoredPayload.of(type, version, payload)).event();
  }

  /**
   * Reads an event, and tells of unknown fields instead of counting them.
   *
   * @param unknownFields is told of each field in the payload that the class does not have
   * @throws UnreadablePayloadException {@code OUT-011} if none is registered, {@code OUT-015} if
   *     the payload cannot be read
   */
  public Object read(String type, int version, byte[] payload, Consumer<String> unknownFields) {
    StoredPayload stored = StoredPayload.of(type, version, payload);
    return reading(stored, Require.nonNull("unknownFields", unknownFields)).event();
  }

  /** Reads a payload, counts its unknown fields, and tells the type as which it was read. */
  EventReading.Read reading(StoredPayload payload) {
    TypeVersion name = payload.name();
    return reading(payload, field -> unknownFields.count(name.name(), name.version(), field));
  }

  private EventReading.Read reading(StoredPayload payload, Consumer<String> unknownFields) {
    return reading.read(
        payload,
        (reader, current) ->
            reader.read(current.bytes(), current.type().eventClass(), unknownFields));
  }

  /**
   * Reads an event whose payload and class must fit exactly, for tests of stored payloads.
   *
   * @throws UnreadablePayloadException {@code OUT-011} if none is registered, {@code OUT-015} if
   *     the payload cannot be read, has a field that the class does not have, or lacks one that the
   *     class is created from
   */
  public Object readExactly(String type, int version, byte[] payload) {
    return reading
        .read(
            StoredPayload.of(type, version, payload),
            (reader, current) -> reader.readExactly(current.bytes(), current.type().eventClass()))
        .event();
  }

  /**
   * Returns how many payloads were read since the start with a field that the event's class does
   * not have, by type and field, such as {@code order.placed v1: gift}. The log reports each once.
   */
  public Map<String, Long> unknownFields() {
    return unknownFields.counts();
  }

  /**
   * Reads a message's event; see {@link #read(String, int, byte[])}.
   *
   * @throws UnreadablePayloadException also with {@code OUT-015}, if its header {@value
   *     #CONTENT_TYPE} names a media type that the serializer does not read
   */
  public Object read(Message message) {
    return reading(StoredPayload.of(message)).event();
  }

  /** Reads the event of a message that was received, as {@link #read(Message)} does. */
  public Object read(Received message) {
    return reading(StoredPayload.of(message)).event();
  }

  private void checkPayload(Message message) {
    int bytes = message.payload().length;
    if (bytes > payloadBytesMax) {
      throw new InvalidMessageException(
          ErrorCode.PAYLOAD_TOO_LARGE,
          message
              + " has a payload of "
              + bytes
              + " bytes, more than the limit of "
              + payloadBytesMax
              + "; store the data elsewhere and send a reference, or raise "
              + Setting.PAYLOAD_MAX);
    }
  }

  PayloadSerializer serializer(String type) {
    if (serializer == null) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "no serializer is configured for the event "
              + type
              + "; set one with serializer(…), or in Spring"
              + " declare a PayloadSerializer bean or add outledger-jackson");
    }
    return serializer;
  }

  private static InvalidMessageException missingKey(String what, String topic) {
    return new InvalidMessageException(
        ErrorCode.MISSING_KEY,
        what + " has no key, but topic " + topic + " requires one; use the aggregate's id");
  }

  /** Collects the settings of an {@link Events}. Not thread-safe. */
  public static final class Builder {

    private EventTypes types = EventTypes.none();
    private EventTypes.@Nullable Builder typesBuilder;
    private @Nullable PayloadSerializer serializer;
    private int payloadBytesMax = PAYLOAD_BYTES_MAX;
    private MessageIds ids = MessageIds.system();
    private TimeSource time = TimeSource.system();
    private ContextPropagator context = ContextPropagator.NONE;

    private Builder() {}

    /** Sets the types; the default is none. */
    public Builder types(EventTypes value) {
      types = Require.nonNull("types", value);
      typesBuilder = null;
      return this;
    }

    /**
     * Sets the types by their builder, which {@link #build()} builds: what is wrong with them is
     * then listed together with everything else.
     */
    public Builder types(EventTypes.Builder value) {
      typesBuilder = Require.nonNull("types", value);
      return this;
    }

    /** Sets the serializer; needed where types are registered. It checks each registered class. */
    public Builder serializer(PayloadSerializer value) {
      serializer = Require.nonNull("serializer", value);
      return this;
    }

    /** Sets the most bytes of a payload, 0 or more; the default is {@value #PAYLOAD_BYTES_MAX}. */
    public Builder payloadBytesMax(int value) {
      payloadBytesMax = value;
      return this;
    }

    /**
     * Sets the generator of ids, for events and for builders of messages; the default is {@link
     * MessageIds#system()}.
     */
    public Builder ids(MessageIds value) {
      ids = Require.nonNull("ids", value);
      return this;
    }

    /**
     * Sets the source of the time of events and of builders of messages; the default is {@link
     * TimeSource#system()}.
     */
    public Builder time(TimeSource value) {
      time = Require.nonNull("time", value);
      return this;
    }

    /** Sets what carries the context of threads with messages; the default carries nothing. */
    public Builder context(ContextPropagator value) {
      context = Require.nonNull("context", value);
      return this;
    }

    /**
     * Builds the {@link Events}.
     *
     * @throws ConfigurationException {@code OUT-021} listing every problem
     */
    public Events build() {
      Problems problems = Problems.of("invalid events");
      if (typesBuilder != null) {
        types = problems.attempt(typesBuilder::build).orElse(types);
      }
      boolean hasTypes = !types.isEmpty() || (typesBuilder != null && !typesBuilder.isEmpty());
      problems.require(
          serializer != null || !hasTypes,
          "event types are registered, but no serializer is configured to write them");
      problems.require(
          payloadBytesMax >= 0 && payloadBytesMax <= MessageLimits.PAYLOAD_BYTES_MAX,
          "payloadBytesMax is "
              + payloadBytesMax
              + " but must be 0 to "
              + MessageLimits.PAYLOAD_BYTES_MAX);
      if (serializer != null) {
        PayloadSerializer checks = serializer;
        for (EventType<?> type : types.all()) {
          problems.check(() -> checks.check(type.eventClass()));
          type.trees().forEach(tree -> problems.check(() -> checks.checkTree(tree)));
        }
      }
      problems.refuse();
      return new Events(this);
    }
  }
}
