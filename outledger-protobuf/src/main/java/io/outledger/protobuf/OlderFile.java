// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds a message in the files of an earlier release, as {@code protoc} has written them. */
final class OlderFile {

  private OlderFile() {}

  /**
   * Returns the message of a name.
   *
   * @param files each after those that it imports
   * @param name the full name, with the package
   * @throws ConfigurationException {@code OUT-021} if there is none, or the files cannot be used
   */
  static Descriptor message(FileDescriptorSet files, String name) {
    Map<String, FileDescriptor> built = new LinkedHashMap<>();
    for (FileDescriptorProto file : files.getFileList()) {
      built.put(file.getName(), built(name, file, built));
    }
    return built.values().stream()
        .flatMap(file -> within(file.getMessageTypes(), name).stream())
        .findFirst()
        .orElseThrow(
            () -> refused(name, "no message of that name is in them, but " + built.keySet()));
  }

  private static FileDescriptor built(
      String name, FileDescriptorProto file, Map<String, FileDescriptor> earlier) {
    FileDescriptor[] imports = new FileDescriptor[file.getDependencyCount()];
    for (int i = 0; i < imports.length; i++) {
      String path = file.getDependency(i);
      FileDescriptor imported = earlier.get(path);
      if (imported == null) {
        throw refused(
            name,
            file.getName()
                + " imports "
                + path
                + ", which is not before it; have protoc write them with --include_imports");
      }
      imports[i] = imported;
    }
    try {
      return FileDescriptor.buildFrom(file, imports);
    } catch (DescriptorValidationException e) {
      throw refused(name, file.getName() + " cannot be used: " + e.getDescription());
    } catch (IllegalArgumentException e) { // an edition that this protobuf-java does not know
      throw refused(name, file.getName() + " cannot be used: " + e.getMessage());
    }
  }

  private static Optional<Descriptor> within(List<Descriptor> messages, String name) {
    for (Descriptor each : messages) {
      if (each.getFullName().equals(name)) {
        return Optional.of(each);
      }
      if (name.startsWith(each.getFullName() + ".")) {
        return within(each.getNestedTypes(), name);
      }
    }
    return Optional.empty();
  }

  private static ConfigurationException refused(String name, String why) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION, "the older files of " + name + ": " + why);
  }
}
