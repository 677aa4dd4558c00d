// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.event.PayloadSerializer;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jsonschema.JsonSchemaSerializer;

/** Payloads that are checked against a JSON Schema. */
final class Schemas {

  private Schemas() {}

  static PayloadSerializer serializer(String schema) {
    return JsonSchemaSerializer.around(JacksonSerializer.create())
        .schema(OrderPlaced.class, schema)
        .build();
  }

  static PayloadSerializer serializer(String schema, String older) {
    return JsonSchemaSerializer.around(JacksonSerializer.create())
        .schema(OrderPlaced.class, schema, older)
        .build();
  }
}
