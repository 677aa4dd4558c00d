// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.Message;
import io.outledger.avro.shop.OrderPlaced;
import io.outledger.contracts.WireFormatContract;
import io.outledger.schemaregistry.PayloadSchemas;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.servers.ApicurioRegistry;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** With Apicurio's registry. */
@Tag("long")
final class ApicurioIT extends WireFormatContract<AvroSerializer> {

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
  protected AvroSerializer serializer(SchemaRegistry registry, String... subjects) {
    return AvroSerializer.builder()
        .type(OrderPlaced.class, Orders.OLDER)
        .readFrom(registry, subjects)
        .build();
  }

  @Override
  protected PayloadSchemas schemas(AvroSerializer serializer) {
    return serializer.schemas();
  }

  @Override
  protected Object event() {
    return Orders.ORDER;
  }

  @Override
  protected Message message(AvroSerializer serializer, String topic) {
    return Message.to(topic, "order.placed")
        .key("o-1")
        .payload(serializer.write(Orders.ORDER))
        .build();
  }

  @Override
  protected RegistrySchema schema() {
    return AvroSerializer.registrySchema(OrderPlaced.getClassSchema());
  }

  @Override
  protected RegistrySchema incompatibleSchema() {
    return AvroSerializer.registrySchema(Orders.FIRST);
  }
}
