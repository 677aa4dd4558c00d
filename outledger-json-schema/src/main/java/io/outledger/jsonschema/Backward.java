// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Whether a schema accepts all that an older one accepts, as far as that can be told from the two
 * texts: types, properties, items, enumerations and bounds. Of other rules, one that is the same or
 * is gone is no difference, and one that was added or changed is told as one, since nobody can
 * tell.
 *
 * <p>An event's class writes the properties that it has, so a payload is taken to have only those
 * that some rule of its schema could name. For one call.
 */
final class Backward {

  private static final Set<String> LOWEST =
      Set.of("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties");

  private static final Set<String> HIGHEST =
      Set.of("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties");

  private final SchemaRoot olderRoot;
  private final SchemaRoot newerRoot;
  private final List<String> differences = new ArrayList<>();
  private final Set<Compared> seen = new HashSet<>();

  private Backward(JsonNode older, JsonNode newer) {
    this.olderRoot = new SchemaRoot(older);
    this.newerRoot = new SchemaRoot(newer);
  }

  /** Returns what the newer schema may refuse of what the older one accepts; empty if nothing. */
  static List<String> differences(JsonNode older, JsonNode newer) {
    Backward backward = new Backward(older, newer);
    backward.compare(older, newer, OlderPlace.whole(backward.olderRoot), "");
    if (!backward.olderRoot.dialect().equals(backward.newerRoot.dialect())) {
      backward.tell("", "$schema has changed");
    }
    return backward.differences;
  }

  private record Compared(JsonNode older, JsonNode newer, OlderPlace place) {}

  /**
   * Compares what two schemas say of a place.
   *
   * @param place what all of the older schema says of it, of which {@code older} may be a part
   */
  private void compare(JsonNode older, JsonNode newer, OlderPlace place, String at) {
    if (!seen.add(new Compared(older, newer, place)) || OlderPlace.acceptsAll(newer)) {
      return;
    }
    if (olderRoot.isReference(older)) {
      compare(olderRoot.target(older.path("$ref")), newer, place, at);
      return;
    }
    if (newerRoot.isReference(newer)) {
      compare(older, newerRoot.target(newer.path("$ref")), place, at);
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
      if (!SchemaRoot.isNote(name)) {
        rule(name, older, newer, place, at);
      }
    }
    if (older.has("minContains") && !newer.has("minContains") && newer.has("contains")) {
      tell(at, "minContains is gone, which means 1");
    }
    properties(older, newer, place, at);
    others(older, newer, place, at);
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
    if (older.has(rule)
        && !newer.has(rule)
        && newer.has(rest)
        && !OlderPlace.acceptsAll(newer.path(rest))) {
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
      return isUnchanged();
    }
    for (JsonNode reference : rule.findValues("$ref")) {
      if (followed.add(reference)) {
        JsonNode after = newerRoot.target(reference);
        boolean isSame =
            after.isMissingNode()
                ? isUnchanged()
                : after.equals(olderRoot.target(reference)) && refersToTheSame(after, followed);
        if (!isSame) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isUnchanged() {
    return olderRoot.equals(newerRoot);
  }

  private void rule(String name, JsonNode older, JsonNode newer, OlderPlace place, String at) {
    @Nullable JsonNode before = older.get(name);
    JsonNode after = newer.path(name);
    switch (name) {
      case "type" -> type(before, after, at);
      case "required" -> required(before, after, at);
      case "enum" -> values(before, after, at);
      case "properties", "additionalProperties" -> {}
      case "$ref" ->
          compare(
              before == null ? older : olderRoot.target(before),
              newerRoot.target(after),
              place,
              at);
      case "items" -> {
        if (before == null) {
          tell(at, "says what items are");
        } else {
          compare(before, after, place.items(), at + "/items");
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

  private void properties(JsonNode older, JsonNode newer, OlderPlace place, String at) {
    JsonNode others = newer.path("additionalProperties");
    for (Map.Entry<String, JsonNode> property : older.path("properties").properties()) {
      String name = property.getKey();
      JsonNode after = newer.path("properties").get(name);
      if (after != null) {
        compare(property.getValue(), after, place.property(name), at + "/" + name);
      } else if (OlderPlace.isFalse(others)) {
        tell(at + "/" + name, "is refused now");
      } else if (others.isObject()) {
        compare(property.getValue(), others, place.property(name), at + "/" + name);
      }
    }
    for (Map.Entry<String, JsonNode> property : newer.path("properties").properties()) {
      String name = property.getKey();
      if (!older.path("properties").has(name) && !OlderPlace.acceptsAll(property.getValue())) {
        added(name, property.getValue(), older, place, at);
      }
    }
  }

  /** Looks at a property that is named now: some rule may have named it before. */
  private void added(String name, JsonNode after, JsonNode older, OlderPlace place, String at) {
    JsonNode before = asObject(older.path("additionalProperties"));
    Set<String> naming =
        older.has("patternProperties")
            ? Set.of("patternProperties")
            : before.isMissingNode() ? place.naming(older, name::equals) : Set.of();
    if (!naming.isEmpty()) {
      tell(at + "/" + name, "is new, and " + String.join(", ", naming) + " may have named it");
    }
    if (before.isObject()) {
      compare(before, after, place.property(name), at + "/" + name);
    }
  }

  /** Looks at the properties that no schema names. */
  private void others(JsonNode older, JsonNode newer, OlderPlace place, String at) {
    JsonNode before = asObject(older.path("additionalProperties"));
    JsonNode after = newer.path("additionalProperties");
    if (!newer.has("additionalProperties") || OlderPlace.acceptsAll(after)) {
      return;
    }
    Predicate<String> isNamedNow = newer.path("properties")::has;
    if (before.isMissingNode()) {
      Predicate<String> isKnown = isNamedNow.or(older.path("properties")::has);
      place
          .naming(older, isKnown.negate())
          .forEach(rule -> tell(at, rule + " may name what additionalProperties takes now"));
    } else if (before.isObject() && OlderPlace.isFalse(after)) {
      tell(at, "additionalProperties are refused now");
    } else if (before.isObject()) {
      compare(before, after, place.propertiesBut(isNamedNow), at + "/*");
    }
  }

  /** The schema {@code true} is another word for one without a rule. */
  private static JsonNode asObject(JsonNode schema) {
    return OlderPlace.acceptsAll(schema) ? JsonNodeFactory.instance.objectNode() : schema;
  }

  private void tell(String at, String what) {
    differences.add((at.isEmpty() ? "the whole" : at) + ": " + what);
  }
}
