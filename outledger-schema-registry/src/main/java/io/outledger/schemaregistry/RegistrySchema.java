// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.Require;
import java.util.List;

/**
 * A schema as registries know it. Immutable and thread-safe.
 *
 * @param type in which language it is written
 * @param name for people and for subjects, such as {@code shop.OrderPlaced}
 * @param text the schema itself
 * @param references other schemas that it needs; mostly none
 */
public record RegistrySchema(Type type, String name, String text, List<Reference> references) {

  /** The languages that registries know. */
  public enum Type {
    /** Avro's schemas, as JSON. */
    AVRO("Avro"),
    /** Files of Protocol Buffers, as text, or as a descriptor in Base64. */
    PROTOBUF("Protocol Buffers"),
    /** JSON Schema. */
    JSON("JSON Schema");

    private final String words;

    Type(String words) {
      this.words = words;
    }

    /** Returns the name for people. */
    String words() {
      return words;
    }
  }

  /**
   * Another schema, which is registered first.
   *
   * @param name by which the schema refers to it, which is its subject, too, as with Confluent's
   *     clients: such as {@code shop/money.proto}
   * @param schema what it is
   */
  public record Reference(String name, RegistrySchema schema) {

    /** Checks that nothing is null. */
    public Reference {
      Require.nonNull("name", name);
      Require.nonNull("schema", schema);
    }
  }

  /** Checks that nothing is null, and copies the list. */
  public RegistrySchema {
    Require.nonNull("type", type);
    Require.nonNull("name", name);
    Require.nonNull("text", text);
    references = List.copyOf(Require.nonNull("references", references));
  }

  /** By the text alone: what is referred to may be referred to in many ways. */
  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Returns a schema that refers to no other one. */
  public static RegistrySchema of(Type type, String name, String text) {
    return new RegistrySchema(type, name, text, List.of());
  }
}
