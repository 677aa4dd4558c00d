// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;

/**
 * Whether a schema accepts all that an older one accepts, as far as that can be told from the two
 * texts: types, properties, items, enumerations and bounds. Of other rules, one that is the same or
 * is gone is no difference, and one that was added or changed is told as one, since nobody can
 * tell.
 *
 * <p>An event's class writes the properties that it has, so a payload is taken to have none that
 * its schema does not name. For one call.
 */
final class Backward {

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

  /** Where a schema may name properties, which {@code additionalProperties} does not see. */
  private static final List<String> ELSEWHERE =
      List.of(
          "allOf",
          "anyOf",
          "oneOf",
          "if",
          "then",
          "else",
          "dependentSchemas",
          "$ref",
          "$dynamicRef",
          "$recursiveRef");

  private static final Set<String> LOWEST =
      Set.of("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties");

  private static final Set<String> HIGHEST =
      Set.of("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties");

  private final JsonNode olderRoot;
  private final JsonNode newerRoot;
  private final List<String> differences = new ArrayList<>();
  private final Set<Pair> seen = new HashSet<>();

  private Backward(JsonNode older, JsonNode newer) {
    this.olderRoot = older;
    this.newerRoot = newer;
  }

  /** Returns what the newer schema may refuse of what the older one accepts; empty if nothing. */
  static List<String> differences(JsonNode older, JsonNode newer) {
    Backward backward = new Backward(older, newer);
    backward.compare(older, newer, "");
    if (!dialect(older).equals(dialect(newer))) {
      backward.tell("", "$schema has changed");
    }
    return backward.differences;
  }

  /** The same words mean something else in another dialect. */
  private static String dialect(JsonNode root) {
    return root.path("$schema").asString(SpecificationVersion.DRAFT_2020_12.getDialectId());
  }

  /** Until draft 7, what stands beside a {@code $ref} says nothing. */
  private static boolean ignoresBesideReferences(JsonNode root) {
    return dialect(root).matches(".*/draft-0[3-7]/.*");
  }

  private record Pair(JsonNode older, JsonNode newer) {}

  private void compare(JsonNode older, JsonNode newer, String at) {
    if (!seen.add(new Pair(older, newer)) || acceptsAll(newer)) {
      return;
    }
    if (older.has("$ref") && (older.size() == 1 || ignoresBesideReferences(olderRoot))) {
      compare(target(older.path("$ref"), olderRoot), newer, at);
      return;
    }
    if (newer.has("$ref") && ignoresBesideReferences(newerRoot)) {
      compare(older, target(newer.path("$ref"), newerRoot), at);
      return;
    }
    if (!older.isObject() || !newer.isObject()) {
      if (!isSame(older, newer) || older.isMissingNode()) {
        tell(at, "cannot be compared");
      }
      return;
    }
    for (Map.Entry<String, JsonNode> rule : newer.properties()) {
      String name = rule.getKey();
      if (!NOTES.contains(name)) {
        rule(name, older, newer, at);
      }
    }
    if (older.has("minContains") && !newer.has("minContains") && newer.has("contains")) {
      tell(at, "minContains is gone, which means 1");
    }
    properties(older, newer, at);
    gone("prefixItems", "items", older, newer, at);
    gone("patternProperties", "additionalProperties", older, newer, at);
    for (String rest : List.of("unevaluatedProperties", "unevaluatedItems")) {
      if (newer.has(rest) && !isSame(older, newer)) {
        tell(at, rest + " cannot be compared");
      }
    }
  }

  /** What one rule took is another's once the former is gone. */
  private void gone(String rule, String rest, JsonNode older, JsonNode newer, String at) {
    if (older.has(rule) && !newer.has(rule) && newer.has(rest) && !acceptsAll(newer.path(rest))) {
      tell(at, rule + " is gone, and " + rest + " takes its place");
    }
  }

  /** The same words mean something else where what they refer to has changed. */
  private boolean isSame(@Nullable JsonNode before, JsonNode after) {
    return after.equals(before) && refersToTheSame(after, new HashSet<>());
  }

  /** A reference that cannot be followed by its text is taken to lead elsewhere now. */
  private boolean refersToTheSame(JsonNode rule, Set<JsonNode> followed) {
    if (!rule.findValues("$dynamicRef").isEmpty() || !rule.findValues("$recursiveRef").isEmpty()) {
      return olderRoot.equals(newerRoot);
    }
    for (JsonNode reference : rule.findValues("$ref")) {
      if (followed.add(reference)) {
        JsonNode after = target(reference, newerRoot);
        boolean isSame =
            after.isMissingNode()
                ? olderRoot.equals(newerRoot)
                : after.equals(target(reference, olderRoot)) && refersToTheSame(after, followed);
        if (!isSame) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean acceptsAll(JsonNode schema) {
    return schema.isBoolean() ? schema.asBoolean() : schema.isObject() && schema.isEmpty();
  }

  /**
   * Returns the place in a schema to which a reference leads; what is missing where it does not.
   */
  private static JsonNode target(JsonNode reference, JsonNode root) {
    String text = reference.asString("");
    return text.equals("#") || text.startsWith("#/")
        ? root.at(text.substring(1))
        : MissingNode.getInstance();
  }

  private void rule(String name, JsonNode older, JsonNode newer, String at) {
    @Nullable JsonNode before = older.get(name);
    JsonNode after = newer.path(name);
    switch (name) {
      case "type" -> type(before, after, at);
      case "required" -> required(before, after, at);
      case "enum" -> values(before, after, at);
      case "properties", "additionalProperties" -> {}
      case "$ref" ->
          compare(before == null ? older : target(before, olderRoot), target(after, newerRoot), at);
      case "items" -> {
        if (before == null) {
          tell(at, "says what items are");
        } else {
          compare(before, after, at + "/items");
        }
      }
      default -> {
        if (isSame(before, after)) {
          return;
        }
        boolean isLooser =
            before != null
                && before.isNumber()
                && after.isNumber()
                && (LOWEST.contains(name)
                    ? after.decimalValue().compareTo(before.decimalValue()) <= 0
                    : HIGHEST.contains(name)
                        && after.decimalValue().compareTo(before.decimalValue()) >= 0);
        if (!isLooser) {
          tell(at, name + (before == null ? " is new" : " has changed"));
        }
      }
    }
  }

  private void type(@Nullable JsonNode before, JsonNode after, String at) {
    Set<String> types = texts(after);
    if (types.contains("number")) {
      types.add("integer");
    }
    if (before == null) {
      tell(at, "type is new");
    } else if (!types.containsAll(texts(before))) {
      tell(at, "type was " + before + " and is " + after);
    }
  }

  private void required(@Nullable JsonNode before, JsonNode after, String at) {
    Set<String> added = texts(after);
    if (before != null) {
      added.removeAll(texts(before));
    }
    for (String property : added) {
      tell(at + "/" + property, "is required now");
    }
  }

  private void values(@Nullable JsonNode before, JsonNode after, String at) {
    if (before == null) {
      tell(at, "enum is new");
      return;
    }
    for (JsonNode value : before) {
      boolean isThere = false;
      for (JsonNode each : after) {
        isThere |= each.equals(value);
      }
      if (!isThere) {
        tell(at, "enum has lost a value");
      }
    }
  }

  private static Set<String> texts(JsonNode textOrArray) {
    Set<String> texts = new TreeSet<>();
    if (textOrArray.isString()) {
      texts.add(textOrArray.asString());
    }
    for (JsonNode each : textOrArray) {
      texts.add(each.asString());
    }
    return texts;
  }

  private void properties(JsonNode older, JsonNode newer, String at) {
    JsonNode others = newer.path("additionalProperties");
    for (Map.Entry<String, JsonNode> property : older.path("properties").properties()) {
      String name = property.getKey();
      JsonNode after = newer.path("properties").get(name);
      if (after != null) {
        compare(property.getValue(), after, at + "/" + name);
      } else if (others.isBoolean() && !others.asBoolean()) {
        tell(at + "/" + name, "is refused now");
      } else if (others.isObject()) {
        compare(property.getValue(), others, at + "/" + name);
      }
    }
    if (older.has("patternProperties")) {
      for (Map.Entry<String, JsonNode> property : newer.path("properties").properties()) {
        if (!older.path("properties").has(property.getKey()) && !acceptsAll(property.getValue())) {
          tell(at + "/" + property.getKey(), "is new, and patternProperties may have named it");
        }
      }
    }
    JsonNode before = asObject(older.path("additionalProperties"));
    if (newer.has("additionalProperties") && !acceptsAll(others) && !isSame(before, others)) {
      ELSEWHERE.stream()
          .filter(older::has)
          .forEach(rule -> tell(at, rule + " may name what additionalProperties takes now"));
    }
    if (before.isObject()) {
      for (Map.Entry<String, JsonNode> property : newer.path("properties").properties()) {
        if (!older.path("properties").has(property.getKey())) {
          compare(before, property.getValue(), at + "/" + property.getKey());
        }
      }
      if (others.isBoolean() && !others.asBoolean()) {
        tell(at, "additionalProperties are refused now");
      } else if (others.isObject()) {
        compare(before, others, at + "/*");
      }
    }
  }

  /** The schema {@code true} is another word for one without a rule. */
  private static JsonNode asObject(JsonNode schema) {
    return acceptsAll(schema) ? JsonNodeFactory.instance.objectNode() : schema;
  }

  private void tell(String at, String what) {
    differences.add((at.isEmpty() ? "the whole" : at) + ": " + what);
  }
}
