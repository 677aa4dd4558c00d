// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/**
 * The classes that the schema of a generated class names: its own, and those of nested records,
 * enums and fixed values. Avro finds them by their names, and only in packages that the application
 * has told it to trust.
 */
final class NamedClasses {

  private NamedClasses() {}

  /**
   * Checks, without a payload, that Avro finds and trusts them all.
   *
   * @throws ConfigurationException {@code OUT-021} if not, with what to tell Avro
   */
  static void check(Class<?> type, SpecificData model, Schema schema) {
    Set<Schema> named = new LinkedHashSet<>();
    collect(schema, named);
    Set<String> forbidden = new TreeSet<>();
    for (Schema each : named) {
      try {
        if (model.getClass(each) == null) {
          throw refused(type, "there is no class " + SpecificData.getClassName(each));
        }
      } catch (SecurityException e) {
        forbidden.add(SpecificData.getClassName(each));
      }
    }
    if (!forbidden.isEmpty()) {
      throw refused(
          type,
          "Avro does not trust "
              + String.join(", ", forbidden)
              + "; start Java with -Dorg.apache.avro.SERIALIZABLE_PACKAGES="
              + packages(forbidden)
              + ", or tell Avro by its ClassSecurityValidator");
    }
  }

  private static void collect(Schema schema, Set<Schema> named) {
    switch (schema.getType()) {
      case ARRAY -> collect(schema.getElementType(), named);
      case MAP -> collect(schema.getValueType(), named);
      case UNION -> schema.getTypes().forEach(branch -> collect(branch, named));
      case RECORD -> {
        if (named.add(schema)) {
          schema.getFields().forEach(field -> collect(field.schema(), named));
        }
      }
      case ENUM, FIXED -> named.add(schema);
      default -> {}
    }
  }

  private static String packages(Set<String> classes) {
    return classes.stream()
        .map(name -> name.substring(0, Math.max(0, name.lastIndexOf('.'))))
        .distinct()
        .collect(Collectors.joining(","));
  }

  private static ConfigurationException refused(Class<?> type, String why) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "events of " + type.getName() + " cannot be read from Avro: " + why);
  }
}
