// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jsonschema.JsonSchemaSerializer;
import io.outledger.publish.Publisher;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.schemaregistry.WireFormatPublisher;
import java.net.URI;

/** Payloads that are checked against a JSON Schema, and a schema registry that knows it. */
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

  static JsonSchemaSerializer serializerOfBoth(String schema, String versionOne) {
    return JsonSchemaSerializer.around(JacksonSerializer.create())
        .schema(OrderPlaced.class, schema)
        .olderVersion("order.placed", 1, versionOne)
        .build();
  }

  static SchemaRegistry registry(URI address, String password) {
    return SchemaRegistry.at(address).basicAuth("shop", password);
  }

  static Publisher publisher(
      Publisher kafka, SchemaRegistry registry, JsonSchemaSerializer serializer, Events events) {
    return WireFormatPublisher.around(kafka, registry, serializer.schemas(events.types()));
  }

  static JsonSchemaSerializer reader(String schema, SchemaRegistry registry) {
    return JsonSchemaSerializer.around(JacksonSerializer.create())
        .schema(OrderPlaced.class, schema)
        .readFrom(registry, "orders-value")
        .build();
  }
}
