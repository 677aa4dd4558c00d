// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says why an event could not be written or read: the kind of failure, the place, the field and
 * what Jackson says of the class. Jackson's messages quote values, and keys of maps are values,
 * too: nothing is taken from a message that depends on the data. The names of fields that a class
 * does not have are told, since they are what has to be compared.
 */
final class Reasons {

  private final ObjectMapper mapper;
  private final ClassCheck classes;

  Reasons(ObjectMapper mapper, ClassCheck classes) {
    this.mapper = mapper;
    this.classes = classes;
  }

  /** Returns why an event could not be written. */
  String ofWriting(Throwable failure) {
    if (failure instanceof InvalidDefinitionException bad) {
      // While writing, these are about classes alone.
      return field(bad) + bad.getOriginalMessage();
    }
    return kind(failure);
  }

  /** Returns why a payload could not be read. */
  String ofReading(Throwable failure) {
    if (!(failure instanceof JsonMappingException mapping)) {
      return kind(failure);
    }
    String reason = reason(mapping);
    return kind(failure) + ": " + field(mapping) + reason;
  }

  private String reason(JsonMappingException failure) {
    if (failure instanceof InvalidDefinitionException bad) {
      return ofClass(bad.getType());
    }
    if (failure instanceof UnrecognizedPropertyException unknown) {
      return unknown.getReferringClass().getTypeName() + " has no such field";
    }
    if (failure instanceof InvalidTypeIdException subtype) {
      return "nothing says which class of "
          + name(subtype.getBaseType())
          + " to read, or it says one that is not among its subtypes";
    }
    if (failure instanceof ValueInstantiationException made) {
      return "creating a " + name(made.getType()) + " threw " + thrown(made.getCause());
    }
    if (failure instanceof MismatchedInputException mismatch) {
      return mismatch(mismatch);
    }
    return failure.getCause() == null
        ? "Jackson cannot read it"
        : "reading it threw " + thrown(failure.getCause());
  }

  private static String mismatch(MismatchedInputException mismatch) {
    if (String.valueOf(mismatch.getOriginalMessage()).startsWith("Missing creator property")) {
      return "it is missing";
    }
    Class<?> target = mismatch.getTargetType();
    return target == null
        ? "its value does not fit"
        : "its value cannot be read as " + target.getTypeName();
  }

  /** Asks the class, and not the failure, whose text may quote what it was to be read from. */
  private String ofClass(@Nullable JavaType type) {
    return type == null
        ? "Jackson cannot read its class"
        : classes.problem(type).orElse("Jackson cannot read " + name(type) + " from such a value");
  }

  private static String name(@Nullable JavaType type) {
    return type == null ? "its class" : type.getRawClass().getTypeName();
  }

  private static String thrown(@Nullable Throwable cause) {
    return cause == null ? "an exception" : cause.getClass().getName();
  }

  private static String kind(Throwable failure) {
    String kind = failure.getClass().getSimpleName();
    return failure instanceof JsonProcessingException json ? kind + place(json) : kind;
  }

  private static String place(JsonProcessingException failure) {
    @Nullable JsonLocation location = failure.getLocation();
    return location == null
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  private String field(JsonMappingException failure) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference step : failure.getPath()) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else if (mayBeTold(step, failure)) {
        path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return path.isEmpty() ? "" : "field " + path + ": ";
  }

  /** Returns whether a name is that of a field, and not a key of a map, which is the payload's. */
  private boolean mayBeTold(JsonMappingException.Reference step, JsonMappingException failure) {
    Object from = step.getFrom();
    if (from == null || from instanceof Map) {
      return false;
    }
    if (failure instanceof UnrecognizedPropertyException unknown
        && unknown.getPropertyName().equals(step.getFieldName())) {
      return true;
    }
    JavaType owner = mapper.constructType(from instanceof Class<?> type ? type : from.getClass());
    return Stream.of(
            mapper.getDeserializationConfig().introspect(owner),
            mapper.getSerializationConfig().introspect(owner))
        .flatMap(found -> found.findProperties().stream())
        .anyMatch(property -> property.getName().equals(step.getFieldName()));
  }
}
