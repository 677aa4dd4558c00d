// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.PathType;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.schemaregistry.RegistrySchema;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A schema that was found to be one. Thread-safe.
 *
 * @param tree what it says
 * @param schema checks payloads
 * @param registered as registries know it
 */
record EventSchema(JsonNode tree, Schema schema, RegistrySchema registered) {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** Reads bytes: as a text, a payload would be copied and parsed more slowly. */
  private static final JsonMapper PAYLOADS = JsonMapper.shared();

  /** Ends at the first place that does not fit: a payload may have a hundred thousand. */
  private static final SchemaRegistryConfig CONFIG =
      SchemaRegistryConfig.builder().pathType(PathType.JSON_POINTER).failFast(true).build();

  /**
   * Reads a schema.
   *
   * @param whose whose schema it is, for the error's text
   * @throws ConfigurationException {@code OUT-021} if it is none, or refers to something outside
   */
  static EventSchema of(String whose, String text) {
    try {
      JsonNode tree = JSON.readTree(text);
      SchemaRegistry registry = registry();
      String dialect =
          tree.path("$schema").asString(SpecificationVersion.DRAFT_2020_12.getDialectId());
      List<Error> errors =
          registry.getSchema(SchemaLocation.of(dialect)).validate(text, InputFormat.JSON);
      if (!errors.isEmpty()) {
        throw refused(whose, "it is no schema of " + dialect + ": " + place(errors.get(0)));
      }
      Schema schema = registry.getSchema(text, InputFormat.JSON);
      schema.initializeValidators();
      String name = tree.path("title").asString(whose);
      return new EventSchema(tree, schema, RegistrySchema.of(RegistrySchema.Type.JSON, name, text));
    } catch (JacksonException e) {
      throw refused(whose, "it is no JSON: " + e.getOriginalMessage());
    } catch (SchemaException e) {
      throw refused(whose, "it cannot be used: " + e.getMessage());
    }
  }

  private static SchemaRegistry registry() {
    return SchemaRegistry.withDefaultDialect(
        SpecificationVersion.DRAFT_2020_12, registry -> registry.schemaRegistryConfig(CONFIG));
  }

  private static ConfigurationException refused(String whose, String why) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION, "the schema of " + whose + ": " + why);
  }

  /**
   * Returns the place in a payload that does not fit, and the rule; empty if it fits. Throws what
   * the validator throws, such as a {@link StackOverflowError} where a pattern goes too deep.
   */
  Optional<String> misfit(byte[] payload) {
    List<Error> errors = schema.validate(PAYLOADS.readTree(payload));
    return errors.isEmpty() ? Optional.empty() : Optional.of(place(errors.get(0)));
  }

  /** Names the place and the rule, and not the value, which an error's own text may quote. */
  private static String place(Error error) {
    String pointer = String.valueOf(error.getInstanceLocation());
    String property = error.getProperty();
    return (pointer.isEmpty() ? "the whole" : pointer)
        + " breaks the rule "
        + error.getKeyword()
        + (property == null ? "" : " (" + property + ")")
        + " at "
        + error.getSchemaLocation().getFragment();
  }
}
