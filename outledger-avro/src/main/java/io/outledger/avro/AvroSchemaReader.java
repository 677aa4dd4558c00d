// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaReader;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;

/** Reads schemas of records. Thread-safe. */
final class AvroSchemaReader implements SchemaReader<Schema> {

  @Override
  public RegistrySchema.Type type() {
    return RegistrySchema.Type.AVRO;
  }

  @Override
  public boolean readsReferences() {
    return false;
  }

  @Override
  public Schema read(String text) {
    Schema schema = new Schema.Parser().parse(text);
    if (schema.getType() != Schema.Type.RECORD) {
      throw new AvroTypeException("it is of the type " + schema.getType() + ", and no record");
    }
    return schema;
  }
}
