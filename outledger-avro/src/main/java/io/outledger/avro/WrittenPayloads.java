// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.Message;
import io.outledger.Require;
import io.outledger.schemaregistry.PayloadSchemas;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.WirePayload;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.apache.avro.Schema;

/**
 * Finds the schema of a payload by its fingerprint; other payloads, such as JSON, are none of
 * Avro's. Thread-safe.
 */
final class WrittenPayloads implements PayloadSchemas {

  private static final byte[] NOTHING = {};

  private final LongFunction<Optional<Schema>> known;
  private final Map<Long, RegistrySchema> found = new ConcurrentHashMap<>(); // only what is known

  /**
   * Makes one.
   *
   * @param known returns the schema with a fingerprint
   */
  WrittenPayloads(LongFunction<Optional<Schema>> known) {
    this.known = known;
  }

  @Override
  public WirePayload of(Message message) {
    byte[] payload = Require.nonNull("message", message).payload();
    if (!SingleObject.isOne(payload)) {
      return WirePayload.AS_IT_IS;
    }
    long fingerprint = SingleObject.fingerprint(payload);
    RegistrySchema schema = found.get(fingerprint);
    if (schema == null) {
      Optional<Schema> written = known.apply(fingerprint);
      if (written.isEmpty()) {
        return new WirePayload.Unknown(
            "its schema, with the fingerprint "
                + SingleObject.shown(fingerprint)
                + ", is none that this application knows");
      }
      schema = AvroSerializer.registrySchema(written.get());
      found.put(fingerprint, schema);
    }
    return new WirePayload.Written(schema, NOTHING, SingleObject.HEADER_BYTES);
  }
}
