// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson3;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.event.PayloadFailures;
import io.outledger.event.PayloadSerializer;
import java.time.Month;
import java.time.Year;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * Writes events as JSON with Jackson 3 and reads them again: the same payloads, byte for byte, as
 * the serializer of {@code outledger-jackson} with Jackson 2, so that an application can move from
 * one to the other at any time.
 *
 * <p>Its settings are its own, so that an application's mapper cannot change what was stored: times
 * of {@code java.time} are ISO texts with their offset kept; a property that is there twice and
 * anything after the event are refused; Jackson's limits on depth and length stay on; and no class
 * is ever chosen by the data, not even where an annotation asks for it. Subtypes by name work. One
 * that is made {@link #on} an application's mapper has that one's settings in all but what is
 * unsafe.
 *
 * <p>Additive changes are free: what the reader's class does not know is ignored, so that the
 * writer may be newer; what is missing or null is null, or zero or false for a primitive, so that
 * the writer may be older. A {@linkplain #strict(JacksonModule...) strict} one refuses both.
 *
 * <p>Thread-safe.
 */
public final class Jackson3Serializer implements PayloadSerializer {

  private final JsonMapper mapper;
  private final JsonFactory parsers;
  private final Reasons reasons;
  private final ClassCheck classes;
  private final ObjectReader trees;

  private Jackson3Serializer(JsonMapper.Builder settings) {
    AtomicReference<JsonMapper> built = new AtomicReference<>();
    this.mapper =
        settings
            .deactivateDefaultTyping()
            .polymorphicTypeValidator(new NoClassNames())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            // It also refuses what follows a value inside an event, if it is one of Kotlin's value
            // classes: the end of a payload is looked at below.
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .addHandler(new UnknownProperties(built::get))
            .build();
    built.set(mapper);
    // A mapper's own parsers have its limits, which an application may have raised.
    this.parsers =
        mapper
            .tokenStreamFactory()
            .rebuild()
            .streamReadConstraints(StreamReadConstraints.builder().build())
            .build();
    this.classes = new ClassCheck(mapper);
    this.reasons = new Reasons(mapper, classes);
    this.trees =
        mapper
            .readerFor(JsonNode.class)
            .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
  }

  /**
   * Creates one.
   *
   * @param modules what further types need, such as the module for Kotlin
   */
  public static Jackson3Serializer create(JacksonModule... modules) {
    return new Jackson3Serializer(
        settings(modules)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES));
  }

  /**
   * Creates one that refuses a payload with a property that the class does not have, and one
   * without a property that a record has as a component or a creator as a parameter: each change of
   * a class is a new version of its type.
   *
   * @param modules what further types need; see {@link #create}
   */
  public static Jackson3Serializer strict(JacksonModule... modules) {
    return new Jackson3Serializer(
        settings(modules)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES));
  }

  /**
   * Creates one on a copy of an application's mapper: its modules, names, formats and features.
   * Only what keeps payloads safe is ours: no class is chosen by the data, so that default typing
   * is off; limits of reading are Jackson's own; a property that is there twice and anything after
   * the event are refused. Each change of the application's mapper changes what is stored, and how
   * what is stored is read.
   *
   * @param mapper writes and reads JSON; it stays as it is
   */
  public static Jackson3Serializer on(JsonMapper mapper) {
    return new Jackson3Serializer(Require.nonNull("mapper", mapper).rebuild());
  }

  private static ConfigurationException refused(String why) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, why);
  }

  /** The defaults of Jackson 2, and what is set there: payloads are the same. */
  private static JsonMapper.Builder settings(JacksonModule... modules) {
    for (JacksonModule module : Require.nonNull("modules", modules)) {
      Require.nonNull("module", module);
    }
    return JsonMapper.builderWithJackson2Defaults()
        .withConfigOverride(
            Year.class, year -> year.setFormat(JsonFormat.Value.forShape(JsonFormat.Shape.STRING)))
        .addModule(new SimpleModule().addSerializer(new ToStringSerializer(Month.class)))
        .addModule(new SealedTypes())
        .addModules(modules)
        .enable(MapperFeature.DETECT_PARAMETER_NAMES)
        .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
        .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
  }

  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public void check(Class<?> type) {
    classes
        .problem(mapper.constructType(Require.nonNull("type", type)))
        .ifPresent(
            why -> {
              throw refused("events of " + type.getName() + " cannot be JSON: " + why);
            });
  }

  @Override
  public byte[] write(Object event) {
    Require.nonNull("event", event);
    return PayloadFailures.called(
        () -> mapper.writeValueAsBytes(event),
        // The cause is an exception of the event's own code, which is for its author.
        e -> PayloadFailures.unwritable(event, "as JSON", reasons.ofWriting(e), e.getCause()));
  }

  @Override
  public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
    Require.nonNull("payload", payload);
    Require.nonNull("type", type);
    Require.nonNull("unknownFields", unknownFields);
    return read(UnknownProperties.told(mapper.readerFor(type), type, unknownFields), payload, type);
  }

  @Override
  public <T> T readExactly(byte[] payload, Class<T> type) {
    Require.nonNull("payload", payload);
    Require.nonNull("type", type);
    return read(
        mapper
            .readerFor(type)
            .with(
                DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES),
        payload,
        type);
  }

  /** Upcasts work on {@link ObjectNode}, that of Jackson 3. */
  @Override
  public void checkTree(Class<?> tree) {
    Require.nonNull("tree", tree);
    if (tree != ObjectNode.class) {
      throw refused(
          "an upcast works on "
              + tree.getName()
              + ", and Jackson 3 reads payloads as "
              + ObjectNode.class.getName());
    }
  }

  /** Keeps numbers as they are written: a fraction is a {@code BigDecimal} in the tree. */
  @Override
  public <T> Optional<byte[]> rewrite(
      byte[] payload, Class<T> tree, Function<? super T, ? extends @Nullable T> change) {
    Require.nonNull("payload", payload);
    Require.nonNull("change", change);
    checkTree(tree);
    JsonNode read = read(trees, payload, JsonNode.class);
    if (!(read instanceof ObjectNode)) {
      throw PayloadFailures.unreadable(payload, ObjectNode.class, "it is no JSON object");
    }
    T changed = change.apply(tree.cast(read));
    return changed == null ? Optional.empty() : Optional.of(write(changed));
  }

  private <T> T read(ObjectReader reader, byte[] payload, Class<T> type) {
    return PayloadFailures.called(
        () -> parsed(reader, payload, type),
        // Without the cause: what it says, and its causes say, quotes the payload.
        e -> PayloadFailures.unreadable(payload, type, reasons.ofReading(e)));
  }

  private <T> T parsed(ObjectReader reader, byte[] payload, Class<T> type) {
    try (JsonParser parser = parsers.createParser(mapper._deserializationContext(), payload)) {
      T event = reader.readValue(parser);
      if (event == null) {
        throw PayloadFailures.unreadable(payload, type, "it is null");
      }
      if (parser.nextToken() != null) {
        throw PayloadFailures.unreadable(payload, type, "something follows the event");
      }
      return event;
    }
  }
}
