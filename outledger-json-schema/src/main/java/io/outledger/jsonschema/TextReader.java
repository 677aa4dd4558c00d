// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaReader;

/**
 * Takes a registry's schemas as texts. Payloads are read by the class's own rules, so that a schema
 * is there is all that is asked.
 */
final class TextReader implements SchemaReader<String> {

  @Override
  public RegistrySchema.Type type() {
    return RegistrySchema.Type.JSON;
  }

  @Override
  public boolean readsReferences() {
    return true;
  }

  @Override
  public String read(String text) {
    return text;
  }
}
