// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What protobuf-java itself makes of the values of one type that are read as another one. */
final class WireTypesTest {

  private static final Set<FieldDescriptor.Type> SCALARS =
      EnumSet.complementOf(EnumSet.of(FieldDescriptor.Type.MESSAGE, FieldDescriptor.Type.GROUP));

  private static Descriptor message(FieldDescriptor.Type type) {
    String name = type == FieldDescriptor.Type.ENUM ? "E" : type.name().toLowerCase(Locale.ROOT);
    return Shape.of("optional " + name + " a=1 / enum E: X=0, Y=2, Z=-1");
  }

  private static List<Object> values(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> List.of(0, 1, 2, -1, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case LONG -> List.of(0L, 1L, 2L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32);
      case FLOAT -> List.of(0f, 1f, -0.1f, Float.MAX_VALUE);
      case DOUBLE -> List.of(0d, 1d, -0.1d, Double.MAX_VALUE);
      case BOOLEAN -> List.of(false, true);
      case STRING -> List.of("", "tea", "größer");
      case BYTE_STRING -> List.of(ByteString.EMPTY, ByteString.copyFrom(new byte[] {-1, 0}));
      case ENUM -> List.copyOf(field.getEnumType().getValues());
      case MESSAGE -> throw new IllegalArgumentException();
    };
  }

  /** Returns what a value says, whatever the type. */
  private static String meaning(FieldDescriptor field, Object value) {
    return switch (field.getType()) {
      case UINT32, FIXED32 -> Integer.toUnsignedString((Integer) value);
      case UINT64, FIXED64 -> Long.toUnsignedString((Long) value);
      case BOOL -> (Boolean) value ? "1" : "0";
      case STRING -> hex(ByteString.copyFromUtf8((String) value));
      case BYTES -> hex((ByteString) value);
      case ENUM -> named((EnumValueDescriptor) value);
      default -> String.valueOf(value);
    };
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private static String named(EnumValueDescriptor value) {
    boolean isKnown = value.getType().findValueByNumber(value.getNumber()) != null;
    return isKnown ? String.valueOf(value.getNumber()) : "unknown";
  }

  private static boolean isReadAsItWas(Descriptor older, Descriptor newer) {
    FieldDescriptor from = older.findFieldByNumber(1);
    FieldDescriptor to = newer.findFieldByNumber(1);
    for (Object value : values(from)) {
      ByteString written =
          DynamicMessage.newBuilder(older).setField(from, value).build().toByteString();
      try {
        DynamicMessage read = DynamicMessage.parseFrom(newer, written);
        if (!read.hasField(to) || !meaning(to, read.getField(to)).equals(meaning(from, value))) {
          return false;
        }
      } catch (InvalidProtocolBufferException e) {
        return false;
      }
    }
    return true;
  }

  @Test
  void aTypeReadsAnotherExactlyWhereEachValueIsReadAsItWas() {
    List<String> wrong = new ArrayList<>();
    for (FieldDescriptor.Type older : SCALARS) {
      for (FieldDescriptor.Type newer : SCALARS) {
        if (WireTypes.reads(older, newer) != isReadAsItWas(message(older), message(newer))) {
          wrong.add(older + " as " + newer);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }
}
