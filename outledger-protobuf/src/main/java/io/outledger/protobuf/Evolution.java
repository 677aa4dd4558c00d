// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.OneofDescriptor;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says whether everything that was written by an older file of a message is read by today's, each
 * value as it was. A payload names its fields by numbers alone, so the names of messages and fields
 * may change, and only where a name is still there is its number compared. Extensions are not
 * compared. For one call.
 */
final class Evolution {

  private final List<String> differences = new ArrayList<>();
  private final Set<Pair> seen = new HashSet<>();

  private Evolution() {}

  private record Pair(String older, String newer) {}

  /**
   * Checks that a message reads what an older one has written.
   *
   * @param older the files of an earlier release, which contain a message of the same name
   * @throws ConfigurationException {@code OUT-021} if it does not, with each difference
   */
  static void check(Descriptor today, FileDescriptorSet older) {
    List<String> differences = differences(OlderFile.message(older, today.getFullName()), today);
    if (!differences.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the message "
              + today.getFullName()
              + " does not read what an older file of it has written: "
              + String.join("; ", differences)
              + ". Change it, for example by reserving a number, or register another message as a"
              + " new version of the type");
    }
  }

  /** Returns what a message may read wrongly of what an older one has written; empty if nothing. */
  static List<String> differences(Descriptor older, Descriptor newer) {
    Evolution evolution = new Evolution();
    evolution.messages("", older, newer);
    return evolution.differences;
  }

  /**
   * Compares two messages.
   *
   * @param prefix what the names of their fields begin with, for people
   */
  private void messages(String prefix, Descriptor older, Descriptor newer) {
    if (!seen.add(new Pair(older.getFullName(), newer.getFullName()))) {
      return;
    }
    Reserved before = Reserved.of(older);
    Reserved after = Reserved.of(newer);
    for (FieldDescriptor field : older.getFields()) {
      FieldDescriptor today = newer.findFieldByNumber(field.getNumber());
      if (today == null) {
        gone(place(prefix, field), field, newer, after);
      } else if (isElsewhere(field, newer)) {
        int number = newer.findFieldByName(field.getName()).getNumber();
        tell(
            place(prefix, field),
            "has the number " + number + " now, and " + today.getName() + " has this one");
      } else {
        fields(place(prefix, today), field, today);
      }
    }
    for (FieldDescriptor field : newer.getFields()) {
      if (older.findFieldByNumber(field.getNumber()) == null) {
        added(place(prefix, field), field, before);
      }
    }
    before
        .firstLostIn(after, number -> newer.findFieldByNumber((int) number) != null)
        .ifPresent(number -> tell(whole(prefix), number + " is no longer reserved"));
    newer.getRealOneofs().forEach(oneof -> oneof(prefix, older, oneof));
  }

  private static String place(String prefix, FieldDescriptor field) {
    return prefix + field.getName() + " (" + field.getNumber() + ")";
  }

  private static String whole(String prefix) {
    return prefix.isEmpty() ? "the whole" : prefix.substring(0, prefix.length() - 1);
  }

  /** Its name has another number, so that the number has got another meaning. */
  private static boolean isElsewhere(FieldDescriptor field, Descriptor newer) {
    FieldDescriptor named = newer.findFieldByName(field.getName());
    return named != null && named.getNumber() != field.getNumber();
  }

  private void gone(String place, FieldDescriptor field, Descriptor newer, Reserved after) {
    if (!after.contains(field.getNumber())) {
      FieldDescriptor named = newer.findFieldByName(field.getName());
      tell(
          place,
          named == null
              ? "is gone, and its number is not reserved"
              : "has the number " + named.getNumber() + " now, and this one is not reserved");
    }
  }

  private void added(String place, FieldDescriptor field, Reserved before) {
    if (before.contains(field.getNumber())) {
      tell(place, "has a number that was reserved");
    }
    if (field.isRequired()) {
      tell(place, "is new and required");
    }
  }

  private void fields(String place, FieldDescriptor older, FieldDescriptor newer) {
    if (!WireTypes.reads(older.getType(), newer.getType())) {
      tell(place, "was " + type(older) + " and is " + type(newer));
      return;
    }
    labels(place, older, newer);
    if (newer.getJavaType() == JavaType.MESSAGE) {
      messages(prefix(place), older.getMessageType(), newer.getMessageType());
    } else if (newer.getJavaType() == JavaType.ENUM) {
      enums(place, older.getEnumType(), newer.getEnumType());
    }
  }

  private static String prefix(String place) {
    return place.substring(0, place.lastIndexOf(' ')) + ".";
  }

  private static String type(FieldDescriptor field) {
    return field.getType().name().toLowerCase(Locale.ROOT);
  }

  /** Whether a field is there once, often or not at all, and what then stands for it. */
  private void labels(String place, FieldDescriptor older, FieldDescriptor newer) {
    if (older.isRepeated() && !newer.isRepeated()) {
      tell(place, "was repeated, and is no longer");
    } else if (!older.isRepeated() && newer.isRepeated()) {
      if (!older.hasPresence()) {
        tell(place, "is repeated now, which lacks the zeros that were not written");
      }
    } else if (!older.isRepeated()) {
      presence(place, older, newer);
    }
    if (newer.isMapField() && !older.isMapField()) {
      tell(place, "is a map now");
    }
  }

  private void presence(String place, FieldDescriptor older, FieldDescriptor newer) {
    if (newer.isRequired() && !older.isRequired()) {
      tell(place, "is required now");
    }
    if (older.hasPresence() && !older.isRequired() && !newer.hasPresence()) {
      OneofDescriptor oneof = older.getRealContainingOneof();
      tell(
          place,
          (oneof == null ? "" : "has left the oneof " + oneof.getName() + " and ")
              + "no longer says whether it is there");
    }
    if (newer.getJavaType() != JavaType.MESSAGE
        && !older.isRequired()
        && !absent(older).equals(absent(newer))) {
      tell(place, "its default was " + shown(absent(older)) + " and is " + shown(absent(newer)));
    }
  }

  /** What stands for a field that is not there, so that it can be compared among types. */
  private static Object absent(FieldDescriptor field) {
    Object value = field.getDefaultValue();
    if (value instanceof Boolean is) {
      return is ? "1" : "0";
    }
    if (value instanceof EnumValueDescriptor constant) {
      return String.valueOf(constant.getNumber());
    }
    if (value instanceof Integer number) {
      return isUnsigned(field) ? Integer.toUnsignedString(number) : number.toString();
    }
    if (value instanceof Long number) {
      return isUnsigned(field) ? Long.toUnsignedString(number) : number.toString();
    }
    return value instanceof String text ? ByteString.copyFromUtf8(text) : value;
  }

  private static boolean isUnsigned(FieldDescriptor field) {
    return switch (field.getType()) {
      case UINT32, UINT64, FIXED32, FIXED64 -> true;
      default -> false;
    };
  }

  private static String shown(Object absent) {
    return absent instanceof ByteString bytes ? bytes.toStringUtf8() : String.valueOf(absent);
  }

  private void enums(String place, EnumDescriptor older, EnumDescriptor newer) {
    if (!seen.add(new Pair(older.getFullName(), newer.getFullName()))) {
      return;
    }
    String its = place + ": the enum " + newer.getName();
    for (EnumValueDescriptor value : older.getValues()) {
      EnumValueDescriptor named = newer.findValueByName(value.getName());
      if (named != null && named.getNumber() != value.getNumber()) {
        tell(its, value.getName() + " was " + value.getNumber() + " and is " + named.getNumber());
      } else if (newer.findValueByNumber(value.getNumber()) == null) {
        tell(its, "has lost " + value.getName() + " (" + value.getNumber() + ")");
      }
    }
    Reserved before = Reserved.of(older);
    for (EnumValueDescriptor value : newer.getValues()) {
      if (before.contains(value.getNumber())) {
        tell(its, value.getName() + " has " + value.getNumber() + ", which was reserved");
      }
    }
    before
        .firstLostIn(Reserved.of(newer), number -> newer.findValueByNumber((int) number) != null)
        .ifPresent(number -> tell(its, number + " is no longer reserved"));
  }

  /**
   * Of the fields of a oneof the last one counts; so no two of them may have been there at once.
   */
  private void oneof(String prefix, Descriptor older, OneofDescriptor newer) {
    List<FieldDescriptor> before =
        newer.getFields().stream()
            .map(field -> older.findFieldByNumber(field.getNumber()))
            .filter(Objects::nonNull)
            .toList();
    @Nullable OneofDescriptor first =
        before.isEmpty() ? null : before.get(0).getRealContainingOneof();
    boolean excludedEachOther =
        before.size() < 2
            || (first != null
                && before.stream().allMatch(field -> field.getRealContainingOneof() == first));
    if (!excludedEachOther) {
      tell(
          prefix + newer.getName(),
          "the oneof has taken fields that could be there together: "
              + before.stream().map(FieldDescriptor::getName).collect(Collectors.joining(", ")));
    }
  }

  private void tell(String place, String what) {
    differences.add(place + ": " + what);
  }
}
