// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A place in older payloads, and all parts of the older schema that may say something of it: a
 * property is new there only if none of them could name it. Which part applies to which payload is
 * not asked.
 */
final class OlderPlace {

  /** Each of the array, or of the object's values, is about the same place. */
  private static final List<String> OF_THE_SAME =
      List.of("allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies");

  /** As these are themselves. */
  private static final List<String> ALSO_OF_THE_SAME = List.of("if", "then", "else", "not");

  /** Where these lead is not told by the text. */
  private static final List<String> LEADING_ANYWHERE = List.of("$dynamicRef", "$recursiveRef");

  /** Their keys are names, as are the texts in arrays that are their values. */
  private static final List<String> BY_KEYS =
      List.of("properties", "dependentRequired", "dependentSchemas", "dependencies");

  /** Unless they are {@code false}, a property may have any name. */
  private static final List<String> ANY_NAME =
      List.of(
          "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames");

  private static final List<String> OF_OTHERS =
      List.of("additionalProperties", "unevaluatedProperties");

  private static final List<String> OF_ITEMS =
      List.of("items", "prefixItems", "additionalItems", "unevaluatedItems", "contains");

  private static final JsonNode ANYTHING =
      JsonNodeFactory.instance.objectNode().put("additionalProperties", true);

  private final SchemaRoot root;

  /** Each with the rule by which it came; empty for the schema of this place itself. */
  private final Map<JsonNode, String> parts = new LinkedHashMap<>();

  private OlderPlace(SchemaRoot root) {
    this.root = root;
  }

  /** Returns the place of the whole payload. */
  static OlderPlace whole(SchemaRoot root) {
    OlderPlace place = new OlderPlace(root);
    place.add(root.tree(), "");
    return place;
  }

  private void add(JsonNode part, String by) {
    if (part.isMissingNode()) {
      parts.putIfAbsent(ANYTHING, by);
      return;
    }
    if (!part.isObject() || parts.putIfAbsent(part, by) != null) {
      return;
    }
    if (part.has("$ref")) {
      boolean isAll = root.isReference(part);
      add(root.target(part.path("$ref")), isAll ? by : by(by, "$ref"));
      if (isAll) {
        return;
      }
    }
    for (String rule : OF_THE_SAME) {
      part.path(rule).forEach(each -> add(each, by(by, rule)));
    }
    for (String rule : ALSO_OF_THE_SAME) {
      if (part.has(rule)) {
        add(part.path(rule), by(by, rule));
      }
    }
    for (String rule : LEADING_ANYWHERE) {
      if (part.has(rule)) {
        parts.putIfAbsent(ANYTHING, by(by, rule));
      }
    }
  }

  private static String by(String outer, String rule) {
    return outer.isEmpty() ? rule : outer;
  }

  /** Returns the place of a property. */
  OlderPlace property(String name) {
    OlderPlace place = new OlderPlace(root);
    parts.forEach(
        (part, by) -> {
          place.addProperties(part, by, name::equals);
          if (!part.path("properties").has(name)) {
            place.addOthers(part, by);
          }
        });
    return place;
  }

  /** Returns the place of any property, but for some. */
  OlderPlace propertiesBut(Predicate<String> which) {
    OlderPlace place = new OlderPlace(root);
    parts.forEach(
        (part, by) -> {
          place.addProperties(part, by, which.negate());
          place.addOthers(part, by);
        });
    return place;
  }

  private void addProperties(JsonNode part, String by, Predicate<String> which) {
    for (Map.Entry<String, JsonNode> property : part.path("properties").properties()) {
      if (which.test(property.getKey())) {
        add(property.getValue(), by);
      }
    }
    part.path("patternProperties").forEach(each -> add(each, by));
    for (JsonNode value : values(part)) {
      for (Map.Entry<String, JsonNode> property : value.properties()) {
        if (which.test(property.getKey())) {
          add(constant(property.getValue()), by(by, valuesRule(part)));
        }
      }
    }
  }

  private void addOthers(JsonNode part, String by) {
    for (String rule : OF_OTHERS) {
      if (acceptsAll(part.path(rule))) {
        parts.putIfAbsent(ANYTHING, by);
      } else if (part.has(rule)) {
        add(part.path(rule), by);
      }
    }
  }

  /** Returns the place of any item. */
  OlderPlace items() {
    OlderPlace place = new OlderPlace(root);
    parts.forEach(
        (part, by) -> {
          if (part.equals(ANYTHING)) {
            place.parts.putIfAbsent(ANYTHING, by);
          }
          for (String rule : OF_ITEMS) {
            if (part.path(rule).isArray()) {
              part.path(rule).forEach(each -> place.add(each, by));
            } else if (part.has(rule)) {
              place.add(part.path(rule), by);
            }
          }
          for (JsonNode value : values(part)) {
            if (value.isArray()) {
              value.forEach(each -> place.add(constant(each), by(by, valuesRule(part))));
            }
          }
        });
    return place;
  }

  /**
   * Returns the rules that may name a property.
   *
   * @param own the schema of this place, whose {@code patternProperties} are not meant
   * @param which the names that are meant
   */
  Set<String> naming(JsonNode own, Predicate<String> which) {
    Set<String> naming = new TreeSet<>();
    parts.forEach(
        (part, by) -> {
          for (String rule : ANY_NAME) {
            boolean isMeant = !rule.equals("patternProperties") || !part.equals(own);
            if (isMeant && part.has(rule) && !isFalse(part.path(rule))) {
              naming.add(by(by, rule));
            }
          }
          names(part)
              .forEach(
                  (rule, names) -> {
                    if (names.stream().anyMatch(which)) {
                      naming.add(by(by, rule));
                    }
                  });
        });
    return naming;
  }

  /** Returns the names in a part, by the rule that has them. */
  private static Map<String, Set<String>> names(JsonNode part) {
    Map<String, Set<String>> names = new LinkedHashMap<>();
    names.put("required", texts(part.path("required")));
    for (String rule : BY_KEYS) {
      Set<String> keys = new TreeSet<>(part.path(rule).propertyNames());
      if (!rule.equals("properties")) {
        part.path(rule).forEach(each -> keys.addAll(texts(each)));
      }
      names.put(rule, keys);
    }
    Set<String> inValues = new TreeSet<>();
    values(part).forEach(value -> inValues.addAll(value.propertyNames()));
    names.put(valuesRule(part), inValues);
    return names;
  }

  private static Set<String> texts(JsonNode array) {
    Set<String> texts = new TreeSet<>();
    if (array.isArray()) {
      array.forEach(each -> texts.add(each.asString("")));
    }
    return texts;
  }

  /** Returns the values of which one has to be there. */
  private static List<JsonNode> values(JsonNode part) {
    List<JsonNode> values = new ArrayList<>();
    part.path("enum").forEach(values::add);
    if (part.has("const")) {
      values.add(part.path("const"));
    }
    return values;
  }

  private static String valuesRule(JsonNode part) {
    return part.has("const") ? "const" : "enum";
  }

  private static JsonNode constant(JsonNode value) {
    return JsonNodeFactory.instance.objectNode().set("const", value);
  }

  static boolean acceptsAll(JsonNode schema) {
    return schema.isBoolean() ? schema.asBoolean() : schema.isObject() && schema.isEmpty();
  }

  static boolean isFalse(JsonNode schema) {
    return schema.isBoolean() && !schema.asBoolean();
  }

  /** Two places are the same where the same parts say something of them. */
  @Override
  public boolean equals(Object other) {
    return other instanceof OlderPlace place && parts.keySet().equals(place.parts.keySet());
  }

  @Override
  public int hashCode() {
    return parts.keySet().hashCode();
  }
}
