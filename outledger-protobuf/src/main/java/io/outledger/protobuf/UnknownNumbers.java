// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The numbers of the fields in a message that its class does not know; one of a nested message with
 * that one's name, such as {@code Line.3}.
 */
final class UnknownNumbers {

  private UnknownNumbers() {}

  /** Returns each once; the nesting is as deep as the parser has allowed. */
  static List<String> of(Message message) {
    Set<String> numbers = new LinkedHashSet<>();
    collect("", message, numbers);
    return new ArrayList<>(numbers);
  }

  private static void collect(String prefix, Message message, Set<String> numbers) {
    for (int number : message.getUnknownFields().asMap().keySet()) {
      numbers.add(prefix + number);
    }
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      if (field.getKey().getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
        continue;
      }
      if (field.getValue() instanceof List<?> list) {
        list.forEach(each -> nested((Message) each, numbers));
      } else {
        nested((Message) field.getValue(), numbers);
      }
    }
  }

  private static void nested(Message message, Set<String> numbers) {
    collect(message.getDescriptorForType().getName() + ".", message, numbers);
  }
}
