// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.module.paramnames.ParameterNamesModule;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.event.PayloadFailures;
import io.outledger.event.PayloadSerializer;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as JSON and reads them again.
 *
 * <p>Its settings are its own, so that an application's mapper cannot change what was stored: times
 * of {@code java.time} are ISO texts with their offset kept; a property that is there twice and
 * anything after the event are refused; Jackson's limits on depth and length stay on; and no class
 * is ever chosen by the data, not even where an annotation asks for it. Subtypes by name, such as
 * those of a sealed interface with {@code @JsonTypeInfo(use = NAME)}, work. One that is made {@link
 * #on} an application's mapper has that one's settings in all but what is unsafe.
 *
 * <p>Additive changes are free: what the reader's class does not know is ignored, so that the
 * writer may be newer; what is missing or null is null, or zero or false for a primitive, so that
 * the writer may be older. A {@linkplain #strict(Module...) strict} one refuses both.
 *
 * <p>Thread-safe.
 */
public final class JacksonSerializer implements PayloadSerializer {

  private final ObjectMapper mapper;
  private final Reasons reasons;
  private final ClassCheck classes;
  private final ObjectReader trees;

  private JacksonSerializer(ObjectMapper mapper) {
    this.mapper = Safety.applied(mapper);
    this.classes = new ClassCheck(this.mapper);
    this.reasons = new Reasons(this.mapper, classes);
    this.trees =
        this.mapper
            .readerFor(JsonNode.class)
            .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
  }

  /**
   * Creates one.
   *
   * @param modules what further types need, such as the module for Kotlin; {@code java.time},
   *     {@code Optional} and the names of constructors' parameters are known
   */
  public static JacksonSerializer create(Module... modules) {
    return new JacksonSerializer(
        settings(modules)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build());
  }

  /**
   * Creates one that refuses a payload with a property that the class does not have, and one
   * without a property that a record has as a component or a creator as a parameter: each change of
   * a class is a new version of its type.
   *
   * @param modules what further types need; see {@link #create}
   */
  public static JacksonSerializer strict(Module... modules) {
    return new JacksonSerializer(
        settings(modules)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build());
  }

  /**
   * Creates one on a copy of an application's mapper: its modules, names, formats and features.
   * Only what keeps payloads safe is ours: no class is chosen by the data, so that default typing
   * is off; limits are Jackson's own; a property that is there twice and anything after the event
   * are refused. Each change of the application's mapper changes what is stored, and how what is
   * stored is read.
   *
   * @param mapper writes and reads JSON; it stays as it is
   * @throws ConfigurationException {@code OUT-021} if it is not for JSON, or cannot be copied
   */
  public static JacksonSerializer on(ObjectMapper mapper) {
    Require.nonNull("mapper", mapper);
    String format = mapper.getFactory().getFormatName();
    if (!JsonFactory.FORMAT_NAME_JSON.equals(format)) {
      throw refused("the mapper writes " + format + ", and payloads are JSON: pass one for JSON");
    }
    try {
      return new JacksonSerializer(mapper.copy());
    } catch (IllegalStateException e) { // a subclass without a copy() of its own
      throw refused(
          "the mapper cannot be copied: " + mapper.getClass().getName() + " must override copy()");
    }
  }

  private static ConfigurationException refused(String why) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, why);
  }

  /**
   * Checks that the parts of Jackson that this class needs are on the class path, and have versions
   * that work together. It looks at few classes, so a framework can check at its start what it
   * creates later.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} listing every part that is missing
   *     or does not fit
   */
  public static void checkClassPath() {
    JacksonParts.check();
  }

  private static JsonMapper.Builder settings(Module... modules) {
    for (Module module : Require.nonNull("modules", modules)) {
      Require.nonNull("module", module);
    }
    return JsonMapper.builder()
        .addModules(
            new JavaTimeModule(), new Jdk8Module(), new ParameterNamesModule(), new SealedTypes())
        .addModules(modules)
        .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
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

  /** Upcasts work on {@link ObjectNode}. */
  @Override
  public void checkTree(Class<?> tree) {
    Require.nonNull("tree", tree);
    if (tree != ObjectNode.class) {
      throw refused(
          "an upcast works on "
              + tree.getName()
              + ", and Jackson 2 reads payloads as "
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

  private <T> T parsed(ObjectReader reader, byte[] payload, Class<T> type) throws IOException {
    try (JsonParser parser = reader.createParser(payload)) {
      T event = reader.readValue(parser, type);
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
