// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import io.outledger.Message;
import io.outledger.contracts.WireFormatContract;
import io.outledger.jsonschema.JsonWireFormatTest.Placed;
import io.outledger.schemaregistry.PayloadSchemas;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.servers.ApicurioRegistry;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** With Apicurio's registry. */
@Tag("long")
final class JsonApicurioIT extends WireFormatContract<JsonSchemaSerializer> {

  private static final ApicurioRegistry SERVER = ApicurioRegistry.start();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Override
  protected URI address() {
    return SERVER.uri();
  }

  @Override
  protected void requireBackwardCompatibility(String subject) {
    SERVER.compatibility(subject, "BACKWARD");
  }

  @Override
  protected JsonSchemaSerializer serializer(SchemaRegistry registry, String... subjects) {
    return JsonWireFormatTest.with().readFrom(registry, subjects).build();
  }

  @Override
  protected PayloadSchemas schemas(JsonSchemaSerializer serializer) {
    return serializer.schemas(JsonWireFormatTest.TYPES);
  }

  @Override
  protected Object event() {
    return JsonWireFormatTest.PLACED;
  }

  @Override
  protected Message message(JsonSchemaSerializer serializer, String topic) {
    return Message.to(topic, "order.placed")
        .version(2)
        .key("o-1")
        .payload(serializer.write(JsonWireFormatTest.PLACED))
        .build();
  }

  @Override
  protected RegistrySchema schema() {
    return JsonWireFormatTest.with().build().registrySchema(Placed.class);
  }

  @Override
  protected RegistrySchema incompatibleSchema() {
    return RegistrySchema.of(
        RegistrySchema.Type.JSON, "OrderPlaced", schema().text().replace("integer", "string"));
  }
}
