// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.InvalidMessageException;
import io.outledger.event.PayloadSerializer;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as JSON and reads them again.
 *
 * <p>Its settings are its own, so that an application's mapper cannot change what was stored: times
 * of {@code java.time} are ISO texts with their offset kept; a property that is there twice and
 * anything after the event are refused; Jackson's limits on depth and length stay on; and no class
 * is ever chosen by the data, not even where an annotation asks for it.
 *
 * <p>Additive changes are free: what the reader's class does not know is ignored, so that the
 * writer may be newer; what is missing or null is null, or zero or false for a primitive, so that
 * the writer may be older. A {@linkplain #strict(Module...) strict} one refuses both.
 *
 * <p>Thread-safe.
 */
public final class JacksonSerializer implements PayloadSerializer {

  private final ObjectMapper mapper;

  private JacksonSerializer(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /**
   * Creates one.
   *
   * @param modules what further types need; {@code java.time} is known
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
   * @param modules what further types need; {@code java.time} is known
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
    for (Module module : Given.check("modules", modules)) {
      Given.check("module", module);
    }
    return JsonMapper.builder()
        .addModule(new JavaTimeModule())
        .addModules(modules)
        .polymorphicTypeValidator(new NoClassNames())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
  }

  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public byte[] write(Object event) {
    Given.check("event", event);
    try {
      return mapper.writeValueAsBytes(event);
    } catch (JsonProcessingException e) {
      // Jackson's messages quote values, but for those on a class that it cannot write; exceptions
      // of the event's own code are for its author.
      String why = e instanceof InvalidDefinitionException bad ? definition(bad) : kind(e);
      throw new InvalidMessageException(
          ErrorCode.UNREADABLE_PAYLOAD,
          "an event of " + event.getClass().getName() + " cannot be written as JSON: " + why,
          e.getCause());
    }
  }

  @Override
  public <T> T read(byte[] payload, Class<T> type) {
    Given.check("payload", payload);
    Given.check("type", type);
    T event;
    try {
      event = mapper.readValue(payload, type);
    } catch (IOException e) {
      // Without the cause: what it says, and its causes say, quotes the payload.
      throw unreadable(payload, type, kind(e));
    }
    if (event == null) {
      throw unreadable(payload, type, "it is null");
    }
    return event;
  }

  private static InvalidMessageException unreadable(byte[] payload, Class<?> type, String why) {
    return new InvalidMessageException(
        ErrorCode.UNREADABLE_PAYLOAD,
        "a payload of "
            + payload.length
            + " bytes cannot be read as "
            + type.getName()
            + ": "
            + why);
  }

  /** What Jackson says of a class, and the fields that lead to it: no values, nor keys of maps. */
  private static String definition(InvalidDefinitionException bad) {
    String path =
        bad.getPath().stream()
            .filter(field -> field.getFieldName() != null && !(field.getFrom() instanceof Map))
            .map(field -> field.getFieldName())
            .collect(Collectors.joining("."));
    return (path.isEmpty() ? "" : "field " + path + ": ") + bad.getOriginalMessage();
  }

  private static String kind(IOException failure) {
    String kind = failure.getClass().getSimpleName();
    return failure instanceof JsonProcessingException json ? kind + place(json) : kind;
  }

  private static String place(JsonProcessingException failure) {
    @Nullable JsonLocation location = failure.getLocation();
    return location == null
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
