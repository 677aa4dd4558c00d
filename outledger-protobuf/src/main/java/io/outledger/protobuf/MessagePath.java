// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Where a message stands in its file, from zero: {@code [1]} is the second one, {@code [1, 0]} the
 * first one within that. The wire format has it between the id and the data, as the length and the
 * numbers, each as zigzag; a single zero says {@code [0]}.
 *
 * @param numbers of the messages, from the outermost one
 */
record MessagePath(List<Integer> numbers) {

  /** What the parser takes, too. */
  private static final int DEPTH_MAX = 100;

  private static final List<Integer> FIRST = List.of(0);

  static MessagePath of(Descriptor message) {
    Deque<Integer> numbers = new ArrayDeque<>();
    for (Descriptor each = message; each != null; each = each.getContainingType()) {
      numbers.addFirst(each.getIndex());
    }
    return new MessagePath(List.copyOf(numbers));
  }

  /**
   * A path that was read.
   *
   * @param path what was read
   * @param end where in the payload the data begins
   */
  record Read(MessagePath path, int end) {}

  /**
   * Reads a path.
   *
   * @throws InvalidProtocolBufferException if there is none
   */
  static Read read(byte[] payload, int from) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(payload, from, payload.length - from);
    int length = in.readSInt32();
    if (length < 0 || length > DEPTH_MAX) {
      throw new InvalidProtocolBufferException("no path of a message stands before the data");
    }
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      numbers.add(in.readSInt32());
    }
    return new Read(
        new MessagePath(numbers.isEmpty() ? FIRST : List.copyOf(numbers)),
        from + in.getTotalBytesRead());
  }

  byte[] written() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeSInt32NoTag(numbers.equals(FIRST) ? 0 : numbers.size());
      for (int number : numbers.equals(FIRST) ? List.<Integer>of() : numbers) {
        out.writeSInt32NoTag(number);
      }
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException(e); // an array takes everything
    }
    return bytes.toByteArray();
  }

  /** Returns the name of the message in a file, without the package; empty if none is there. */
  Optional<String> nameIn(FileDescriptorProto file) {
    List<DescriptorProto> within = file.getMessageTypeList();
    String name = "";
    for (int number : numbers) {
      if (number < 0 || number >= within.size()) {
        return Optional.empty();
      }
      DescriptorProto message = within.get(number);
      name = message.getName();
      within = message.getNestedTypeList();
    }
    return Optional.of(name);
  }
}
