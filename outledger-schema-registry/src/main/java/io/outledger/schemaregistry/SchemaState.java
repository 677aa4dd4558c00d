// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import com.fasterxml.jackson.databind.JsonNode;
import io.outledger.Printable;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an id in a registry.
 *
 * @param <S> what comes of a schema
 */
sealed interface SchemaState<S> {

  /** So many answers that are missing for one id alone are its own fault. */
  int TIMES_MAX = 3;

  /** The schema is here. */
  record Found<S>(S schema) implements SchemaState<S> {}

  /** It is asked for; before is what was known then. */
  record Asked<S>(@Nullable SchemaState<S> before) implements SchemaState<S> {}

  /** There is no such schema, or none that can be had or read here. */
  record Unknown<S>(String why, long sinceNanos) implements SchemaState<S> {}

  /** The registry says nothing of this id, nor of anything else: an outage, however long. */
  record Away<S>(String why, long sinceNanos) implements SchemaState<S> {}

  /**
   * The registry says nothing of this id, and does answer otherwise. Once that says nothing: an
   * answer may be lost.
   *
   * @param times how often that was so, one after the other
   */
  record Missed<S>(String why, long sinceNanos, int times) implements SchemaState<S> {}

  /** Returns what is known after this was answered: an id that is never answered is at fault. */
  default SchemaState<S> after(@Nullable SchemaState<S> state) {
    SchemaState<S> before = state instanceof Asked<S> asked ? asked.before() : null;
    if (this instanceof Missed<S> now && before instanceof Missed<S> earlier) {
      int times = earlier.times() + now.times();
      return times < TIMES_MAX
          ? new Missed<>(now.why(), now.sinceNanos(), times)
          : new Unknown<>(now.why() + ", " + times + " times", now.sinceNanos());
    }
    return this;
  }

  /**
   * Reads what a registry has given for an id. It is a stranger's text: whatever reading it throws,
   * it is no schema.
   */
  static <S> SchemaState<S> parsed(SchemaReader<S> reader, JsonNode body, long now) {
    String type = body.path("schemaType").asText(RegistrySchema.Type.AVRO.name());
    String wanted = reader.type().words();
    if (!type.equals(reader.type().name())) {
      return new Unknown<>(
          "it is of the type " + Printable.value(type) + ", and not of " + wanted, now);
    }
    if (!reader.readsReferences() && !body.path("references").isEmpty()) {
      return new Unknown<>("it refers to other schemas of the registry", now);
    }
    try {
      return new Found<>(reader.read(body.path("schema").asText()));
    } catch (Throwable e) { // an Error, too
      return new Unknown<>(
          "it is no schema of " + wanted + ": " + Printable.value(e.getMessage()), now);
    }
  }
}
