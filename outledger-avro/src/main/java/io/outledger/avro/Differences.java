// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.jspecify.annotations.Nullable;

/**
 * What two schemas have in different ways where one can be read by the other: Avro passes over all
 * of it in silence. A field is named as it is, and one of a nested record with the record's name.
 *
 * @param ignored fields that the writer's schema has, and the reader's has not
 * @param missing fields that the reader's schema has, and fills with their defaults
 * @param meanings fields whose logical type has changed, so that the same bytes mean something else
 */
record Differences(List<String> ignored, List<String> missing, List<String> meanings) {

  /** Compares the schema of a writer with that of a reader which can read it. */
  static Differences of(Schema writer, Schema reader) {
    Walk walk = new Walk();
    walk.compare("", writer, reader);
    return new Differences(
        List.copyOf(walk.ignored), List.copyOf(walk.missing), List.copyOf(walk.meanings));
  }

  private static final class Walk {

    private final List<String> ignored = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> meanings = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    /**
     * Compares two places.
     *
     * @param place the field, for people; empty for the whole
     */
    void compare(String place, Schema writer, Schema reader) {
      if (writer.getType() == Schema.Type.UNION) {
        writer.getTypes().forEach(branch -> compare(place, branch, reader));
        return;
      }
      if (reader.getType() == Schema.Type.UNION) {
        taken(writer, reader).ifPresent(branch -> compare(place, writer, branch));
        return;
      }
      meaning(place, writer.getLogicalType(), reader.getLogicalType());
      if (writer.getType() != reader.getType()) {
        return; // a number that was widened
      }
      switch (reader.getType()) {
        case ARRAY -> compare(place, writer.getElementType(), reader.getElementType());
        case MAP -> compare(place, writer.getValueType(), reader.getValueType());
        case RECORD -> records(place, writer, reader);
        default -> {}
      }
    }

    /** Returns the branch that reads it: its own, or else the first to which it is widened. */
    private static Optional<Schema> taken(Schema writer, Schema reader) {
      List<Schema> branches = reader.getTypes();
      return branches.stream()
          .filter(branch -> isSame(writer, branch))
          .findFirst()
          .or(() -> branches.stream().filter(branch -> reads(branch, writer)).findFirst());
    }

    private static boolean reads(Schema branch, Schema writer) {
      return SchemaCompatibility.checkReaderWriterCompatibility(branch, writer).getType()
          == SchemaCompatibility.SchemaCompatibilityType.COMPATIBLE;
    }

    private static boolean isSame(Schema writer, Schema branch) {
      return writer.getType() == branch.getType()
          && (!isNamed(branch) || SchemaCompatibility.schemaNameEquals(branch, writer));
    }

    private static boolean isNamed(Schema schema) {
      return switch (schema.getType()) {
        case RECORD, ENUM, FIXED -> true;
        default -> false;
      };
    }

    private void records(String place, Schema writer, Schema reader) {
      if (!seen.add(writer.getFullName() + " " + reader.getFullName())) {
        return;
      }
      String prefix = place.isEmpty() ? "" : reader.getName() + ".";
      Set<String> read = new HashSet<>();
      for (Schema.Field field : reader.getFields()) {
        Schema.Field from = SchemaCompatibility.lookupWriterField(writer, field);
        if (from == null) {
          missing.add(prefix + field.name());
        } else {
          read.add(from.name());
          compare(prefix + field.name(), from.schema(), field.schema());
        }
      }
      for (Schema.Field field : writer.getFields()) {
        if (!read.contains(field.name())) {
          ignored.add(prefix + field.name());
        }
      }
    }

    private void meaning(String place, @Nullable LogicalType writer, @Nullable LogicalType reader) {
      if (writer == null || reader == null) {
        return; // its class gets the bare value, or has got it
      }
      boolean isSame =
          writer.getName().equals(reader.getName())
              && (!(writer instanceof LogicalTypes.Decimal) || writer.equals(reader));
      if (!isSame) {
        meanings.add(place + " was " + shown(writer) + " and is " + shown(reader));
      }
    }

    private static String shown(LogicalType type) {
      return type instanceof LogicalTypes.Decimal decimal
          ? "decimal(" + decimal.getPrecision() + ", " + decimal.getScale() + ")"
          : type.getName();
    }
  }
}
