// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import com.networknt.schema.SpecificationVersion;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * The text of a schema, in which references lead from place to place.
 *
 * @param tree what it says
 */
record SchemaRoot(JsonNode tree) {

  /** These say nothing of what is accepted. */
  private static final Set<String> NOTES =
      Set.of(
          "$schema",
          "$id",
          "$anchor",
          "$comment",
          "$defs",
          "definitions",
          "title",
          "description",
          "default",
          "examples",
          "deprecated",
          "readOnly",
          "writeOnly");

  /** Returns whether a rule says nothing of what is accepted. */
  static boolean isNote(String rule) {
    return NOTES.contains(rule);
  }

  /** The same words mean something else in another dialect. */
  String dialect() {
    return tree.path("$schema").asString(SpecificationVersion.DRAFT_2020_12.getDialectId());
  }

  /**
   * Returns whether a schema is nothing but a reference. Until draft 7, what stands beside one says
   * nothing; later only notes do, unless an {@code $id} has the reference lead elsewhere.
   */
  boolean isReference(JsonNode schema) {
    return schema.has("$ref")
        && (dialect().matches(".*/draft-0[3-7]/.*")
            || schema.propertyNames().stream()
                .allMatch(
                    rule ->
                        rule.equals("$ref")
                            || (isNote(rule) && (!rule.equals("$id") || schema.equals(tree)))));
  }

  /** Returns the place to which a reference leads; what is missing where it does not. */
  JsonNode target(JsonNode reference) {
    String text = reference.asString("");
    return text.equals("#") || text.startsWith("#/")
        ? tree.at(text.substring(1))
        : MissingNode.getInstance();
  }
}
