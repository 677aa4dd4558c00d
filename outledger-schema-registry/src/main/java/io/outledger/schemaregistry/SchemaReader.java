// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

/**
 * Reads the schemas of one language. Thread-safe.
 *
 * @param <S> what comes of a schema
 */
public interface SchemaReader<S> {

  /** Returns the language. */
  RegistrySchema.Type type();

  /** Returns whether a schema can be read that refers to others, which are not fetched. */
  boolean readsReferences();

  /**
   * Reads a schema.
   *
   * @param text a stranger's: whatever this throws, it is no schema, and the message of what is
   *     thrown says why
   */
  S read(String text);
}
