// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the id of a schema, and before that for the schemas to which it refers. Each answer is
 * waited for. For one call.
 */
final class Registration {

  private final SchemaRegistry registry;
  private final boolean isRegistering;
  private final Map<String, Integer> versions = new HashMap<>();

  /**
   * Makes one.
   *
   * @param isRegistering whether a schema is registered if it is not there yet
   */
  Registration(SchemaRegistry registry, boolean isRegistering) {
    this.registry = registry;
    this.isRegistering = isRegistering;
  }

  /** Returns an answer with an {@code id}, if it was given; never fails. */
  RegistryAnswer of(String subject, RegistrySchema schema) {
    RegistryAnswer failure = refer(schema);
    return failure != null ? failure : id(subject, schema);
  }

  private RegistryAnswer id(String subject, RegistrySchema schema) {
    return SchemaRegistry.awaited(
        isRegistering
            ? registry.register(subject, schema, versions)
            : registry.lookUp(subject, schema, versions));
  }

  /** Has all versions of what a schema refers to; null, or else why not. */
  private @Nullable RegistryAnswer refer(RegistrySchema schema) {
    for (RegistrySchema.Reference each : schema.references()) {
      if (versions.containsKey(each.name())) {
        continue;
      }
      RegistryAnswer failure = refer(each.schema());
      if (failure != null) {
        return failure;
      }
      RegistryAnswer answer = version(each);
      if (!(answer instanceof RegistryAnswer.Given given)) {
        return answer.about(each.name() + ", which it needs: ");
      }
      versions.put(each.name(), given.body().path("version").asInt());
    }
    return null;
  }

  private RegistryAnswer version(RegistrySchema.Reference reference) {
    if (isRegistering) {
      RegistryAnswer answer = id(reference.name(), reference.schema());
      if (!(answer instanceof RegistryAnswer.Given)) {
        return answer;
      }
    }
    return SchemaRegistry.awaited(registry.lookUp(reference.name(), reference.schema(), versions));
  }
}
