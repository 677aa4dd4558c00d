// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;

/** Says whether everything that was written by an older schema is read by a newer one. */
final class Evolution {

  private Evolution() {}

  /**
   * Checks that a schema reads what an older one has written.
   *
   * @param whose whose schemas they are, for the error's text
   * @return what differs all the same
   * @throws ConfigurationException {@code OUT-021} if it does not, with each difference
   */
  static Differences checked(String whose, Schema older, Schema newer) {
    List<String> problems = new ArrayList<>();
    Differences differences = new Differences(List.of(), List.of(), List.of());
    try {
      for (Incompatibility each :
          SchemaCompatibility.checkReaderWriterCompatibility(newer, older)
              .getResult()
              .getIncompatibilities()) {
        problems.add(shown(each, newer));
      }
      if (problems.isEmpty()) {
        differences = Differences.of(older, newer);
        differences.meanings().forEach(each -> problems.add("logical type: " + each));
      }
    } catch (AvroRuntimeException e) { // such as two aliases that name two fields of the older one
      problems.add("they cannot be compared: " + e.getMessage());
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the schema of "
              + whose
              + " does not read what an older one ("
              + SingleObject.shown(SingleObject.fingerprint(older))
              + ") has written: "
              + String.join("; ", problems)
              + ". Change it, for example by a default or an alias, or register a new version of"
              + " the type");
    }
    return differences;
  }

  private static String shown(Incompatibility each, Schema newer) {
    String pointer = each.getLocation();
    String field = field(newer, pointer);
    String message = each.getMessage();
    return each.getType()
        + " at "
        + pointer
        + (field.isEmpty() ? "" : " (" + field + ")")
        + (message == null || message.isBlank() ? "" : ": " + message);
  }

  /** Names the field to which a pointer leads, which Avro gives by numbers alone. */
  private static String field(Schema newer, String pointer) {
    StringBuilder name = new StringBuilder();
    Schema at = newer;
    String[] steps = pointer.substring(1).split("/", -1);
    for (int i = 0; i < steps.length; i++) {
      if (at.getType() == Schema.Type.RECORD && i + 1 < steps.length && isIndex(steps[i + 1])) {
        Schema.Field field = at.getFields().get(Integer.parseInt(steps[++i]));
        name.append(name.isEmpty() ? "" : ".").append(field.name());
        at = field.schema();
      } else if (at.getType() == Schema.Type.ARRAY && steps[i].equals("items")) {
        at = at.getElementType();
      } else if (at.getType() == Schema.Type.MAP && steps[i].equals("values")) {
        at = at.getValueType();
      } else if (!steps[i].equals("type")) {
        break;
      }
    }
    return name.toString();
  }

  private static boolean isIndex(String step) {
    return step.matches("\\d{1,5}");
  }
}
