// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import com.fasterxml.jackson.databind.JsonNode;
import io.outledger.Printable;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** What is known of an id in a registry. */
sealed interface SchemaState {

  /** So many answers that say nothing of an id are its own fault. */
  int ANSWERS_MAX = 3;

  /** The schema is here. */
  record Found(Schema schema) implements SchemaState {}

  /** It is asked for; before is what was known then. */
  record Asked(@Nullable SchemaState before) implements SchemaState {}

  /** There is no such schema, or none that can be had or read here. */
  record Unknown(String why, long sinceNanos) implements SchemaState {}

  /**
   * The registry did not say.
   *
   * @param answers how many answers said nothing, one after the other; 0 while none comes at all
   */
  record Away(String why, long sinceNanos, int answers) implements SchemaState {}

  /**
   * The registry did not answer for this id, and did for another one. Once that says nothing: an
   * answer may be lost.
   *
   * @param times how often that was so, one after the other
   */
  record Missed(String why, long sinceNanos, int times) implements SchemaState {}

  /** Returns what is known after this was answered: an id that is never answered is at fault. */
  default SchemaState after(@Nullable SchemaState state) {
    SchemaState before = state instanceof Asked asked ? asked.before() : null;
    if (this instanceof Missed now && before instanceof Missed earlier) {
      int times = earlier.times() + now.times();
      return times < ANSWERS_MAX
          ? new Missed(now.why(), now.sinceNanos(), times)
          : new Unknown(now.why() + ", " + times + " times", now.sinceNanos());
    }
    if (this instanceof Away now && now.answers() > 0 && before instanceof Away earlier) {
      int answers = earlier.answers() + now.answers();
      return answers < ANSWERS_MAX
          ? new Away(now.why(), now.sinceNanos(), answers)
          : new Unknown(now.why() + ", " + answers + " times", now.sinceNanos());
    }
    return this;
  }

  /**
   * Reads what a registry has given for an id. It is a stranger's text: whatever reading it throws,
   * it is no schema.
   */
  static SchemaState parsed(JsonNode body, long now) {
    String type = body.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      return new Unknown("it is of the type " + Printable.value(type) + ", and not of Avro", now);
    }
    if (!body.path("references").isEmpty()) {
      return new Unknown("it refers to other schemas of the registry", now);
    }
    Schema schema;
    try {
      schema = new Schema.Parser().parse(body.path("schema").asText());
    } catch (Throwable e) { // an Error, too
      return new Unknown("it is no schema of Avro: " + Printable.value(e.getMessage()), now);
    }
    return schema.getType() == Schema.Type.RECORD
        ? new Found(schema)
        : new Unknown("it is of the type " + schema.getType() + ", and no record", now);
  }
}
