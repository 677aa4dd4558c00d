// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.OutledgerBuilder;
import io.outledger.jdbc.Schema;
import io.outledger.time.TimeSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;

/** Builds an {@link Outledger} as the properties and beans say. */
final class OutledgerSetup {

  private final OutledgerProperties properties;
  private final ObjectProvider<PayloadSerializer> serializer;
  private final ObjectProvider<EventTypesCustomizer> types;
  private final ObjectProvider<TimeSource> time;

  OutledgerSetup(
      OutledgerProperties properties,
      ObjectProvider<PayloadSerializer> serializer,
      ObjectProvider<EventTypesCustomizer> types,
      ObjectProvider<TimeSource> time) {
    this.properties = properties;
    this.serializer = serializer;
    this.types = types;
    this.time = time;
  }

  /** Creates the tables where that is wanted, checks them, and builds. */
  Outledger build(DataSource dataSource) {
    PropertyProblems.check(properties);
    if (initialisesSchema(dataSource)) {
      schema(dataSource).apply(dataSource);
    }
    OutledgerBuilder builder =
        Outledger.builder(dataSource)
            .payloadBytesMax(Math.toIntExact(properties.payloadMax().toBytes()))
            .messageRetention(properties.retention().messages())
            .inboxRetention(properties.retention().inbox());
    if (properties.schema() != null) {
      builder.schema(properties.schema());
    }
    if (properties.instance() != null) {
      builder.instance(properties.instance());
    }
    if (!properties.retention().enabled()) {
      builder.withoutRetention();
    }
    serializer.ifUnique(builder::serializer);
    time.ifUnique(builder::time);
    types.orderedStream().forEach(each -> builder.events(each::customize));
    return builder.build();
  }

  private boolean initialisesSchema(DataSource dataSource) {
    return switch (properties.schemaInitialization()) {
      case ALWAYS -> true;
      case NEVER -> false;
      case EMBEDDED -> EmbeddedDatabaseConnection.isEmbedded(dataSource);
    };
  }

  private Schema schema(DataSource dataSource) {
    String name = properties.schema();
    return name == null ? Schema.of(dataSource) : Schema.of(dataSource, name);
  }
}
