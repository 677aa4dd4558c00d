// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.outledger.servers.ScriptedRegistry;

/** A language for tests: any text is a schema of it, but one that says {@code broken}. */
final class Texts implements SchemaReader<String> {

  @Override
  public RegistrySchema.Type type() {
    return RegistrySchema.Type.JSON;
  }

  @Override
  public boolean readsReferences() {
    return false;
  }

  @Override
  public String read(String text) {
    if (text.contains("broken")) {
      throw new StackOverflowError("too deep");
    }
    return text;
  }

  /** Answers with a text. */
  static ScriptedRegistry.Answer has(String text) {
    return ScriptedRegistry.says(200, body(text));
  }

  static String body(String text) {
    return new JsonMapper()
        .createObjectNode()
        .put("schema", text)
        .put("schemaType", "JSON")
        .toString();
  }
}
