// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file of messages, as a registry has it. Some return what was registered: a descriptor in
 * Base64, as we and Confluent's clients for other languages register it. Others make it text, which
 * only {@code protoc} reads.
 *
 * @param descriptor the file, if it can be read
 */
record RegisteredFile(Optional<FileDescriptorProto> descriptor) {

  /** These every registry knows by itself. */
  private static final String KNOWN = "google/protobuf/";

  /** Reads files. */
  static final SchemaReader<RegisteredFile> READER =
      new SchemaReader<>() {
        @Override
        public RegistrySchema.Type type() {
          return RegistrySchema.Type.PROTOBUF;
        }

        @Override
        public boolean readsReferences() {
          return true; // no field is looked for in them
        }

        @Override
        public RegisteredFile read(String text) {
          return RegisteredFile.of(text);
        }
      };

  private static RegisteredFile of(String text) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) { // a text has blanks, which Base64 has not
      return new RegisteredFile(Optional.empty());
    }
    try {
      return new RegisteredFile(Optional.of(FileDescriptorProto.parseFrom(bytes)));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("its descriptor cannot be parsed", e);
    }
  }

  /** Returns the file of a message as registries know it, with what it imports. */
  static RegistrySchema of(Descriptor message) {
    return schema(message.getFullName(), message.getFile(), new HashMap<>());
  }

  private static RegistrySchema schema(
      String name, FileDescriptor file, Map<String, RegistrySchema> imported) {
    List<RegistrySchema.Reference> imports = new ArrayList<>();
    for (FileDescriptor each : file.getDependencies()) {
      String path = each.getName();
      if (!path.startsWith(KNOWN)) {
        RegistrySchema known = imported.get(path);
        RegistrySchema schema = known == null ? schema(path, each, imported) : known;
        imported.put(path, schema);
        imports.add(new RegistrySchema.Reference(path, schema));
      }
    }
    return new RegistrySchema(
        RegistrySchema.Type.PROTOBUF,
        name,
        Base64.getEncoder().encodeToString(file.toProto().toByteArray()),
        imports);
  }
}
