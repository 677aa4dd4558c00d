// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files in short, such as {@code int32 a=1, optional Line b=2 / Line: string c=1 / enum E: X=0}:
 * the message {@code shop.R}, and behind each slash another message or an enum. It is proto3 unless
 * it begins with {@code proto2}. A oneof is named behind its fields: {@code int32 a=1 in choice}.
 */
final class Shape {

  private static final Pattern FIELD =
      Pattern.compile(
          "((?:optional|repeated|required) )?(\\w+) (\\w+)=(\\d+)(?: in (\\w+))?(?: default"
              + " (.+))?");
  private static final Pattern RESERVED = Pattern.compile("reserved (\\d+)(?:-(\\d+))?");
  private static final Pattern VALUE = Pattern.compile("(\\w+)=(-?\\d+)");

  private Shape() {}

  static Descriptor of(String text) {
    try {
      return FileDescriptor.buildFrom(file(text), new FileDescriptor[0]).getMessageTypes().get(0);
    } catch (DescriptorValidationException e) {
      throw new AssertionError(text, e);
    }
  }

  static FileDescriptorSet files(FileDescriptorProto... files) {
    return FileDescriptorSet.newBuilder().addAllFile(List.of(files)).build();
  }

  static FileDescriptorProto file(String text) {
    boolean isProto2 = text.startsWith("proto2");
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder()
            .setName("shop.proto")
            .setPackage("shop")
            .setSyntax(isProto2 ? "proto2" : "proto3");
    List<String> parts = List.of(text.replaceFirst("^proto2", "").split("/", -1));
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i).strip();
      int colon = part.indexOf(':');
      String name = i == 0 ? "R" : part.substring(0, colon);
      List<String> items = items(i == 0 ? part : part.substring(colon + 1));
      if (name.startsWith("enum ")) {
        file.addEnumType(values(name.substring(5), items));
      } else {
        file.addMessageType(message(name, items, isProto2));
      }
    }
    return file.build();
  }

  private static List<String> items(String text) {
    List<String> items = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      if (!each.isBlank()) {
        items.add(each.strip());
      }
    }
    return items;
  }

  private static Matcher matched(Pattern pattern, String item) {
    Matcher matcher = pattern.matcher(item);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(item);
    }
    return matcher;
  }

  private static int last(Matcher reserved) {
    return Integer.parseInt(reserved.group(2) == null ? reserved.group(1) : reserved.group(2));
  }

  private static DescriptorProto message(String name, List<String> items, boolean isProto2) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    List<String> oneofs = new ArrayList<>();
    for (String item : items) {
      if (item.startsWith("reserved ")) {
        Matcher reserved = matched(RESERVED, item);
        message
            .addReservedRangeBuilder()
            .setStart(Integer.parseInt(reserved.group(1)))
            .setEnd(last(reserved) + 1);
      } else {
        message.addField(field(matched(FIELD, item), oneofs, isProto2));
      }
    }
    for (FieldDescriptorProto.Builder field : message.getFieldBuilderList()) {
      if (field.getProto3Optional()) {
        field.setOneofIndex(oneofs.size());
        oneofs.add("_" + field.getName());
      }
    }
    oneofs.forEach(each -> message.addOneofDecl(OneofDescriptorProto.newBuilder().setName(each)));
    return message.build();
  }

  private static FieldDescriptorProto field(Matcher text, List<String> oneofs, boolean isProto2) {
    String label = text.group(1) == null ? "" : text.group(1).strip();
    FieldDescriptorProto.Builder field =
        FieldDescriptorProto.newBuilder()
            .setName(text.group(3))
            .setNumber(Integer.parseInt(text.group(4)))
            .setLabel(
                FieldDescriptorProto.Label.valueOf(
                    "LABEL_" + (label.isEmpty() ? "optional" : label).toUpperCase(Locale.ROOT)));
    String type = text.group(2);
    if (Character.isUpperCase(type.charAt(0))) {
      field.setTypeName(".shop." + type);
    } else {
      field.setType(FieldDescriptorProto.Type.valueOf("TYPE_" + type.toUpperCase(Locale.ROOT)));
    }
    if (text.group(5) != null) {
      if (!oneofs.contains(text.group(5))) {
        oneofs.add(text.group(5));
      }
      field.setOneofIndex(oneofs.indexOf(text.group(5)));
    }
    if (text.group(6) != null) {
      field.setDefaultValue(text.group(6));
    }
    return field.setProto3Optional(label.equals("optional") && !isProto2).build();
  }

  private static EnumDescriptorProto values(String name, List<String> items) {
    EnumDescriptorProto.Builder values = EnumDescriptorProto.newBuilder().setName(name);
    for (String item : items) {
      if (item.startsWith("reserved ")) {
        Matcher reserved = matched(RESERVED, item);
        values
            .addReservedRangeBuilder()
            .setStart(Integer.parseInt(reserved.group(1)))
            .setEnd(last(reserved));
      } else {
        Matcher value = matched(VALUE, item);
        values
            .addValueBuilder()
            .setName(value.group(1))
            .setNumber(Integer.parseInt(value.group(2)));
      }
    }
    return values.build();
  }
}
