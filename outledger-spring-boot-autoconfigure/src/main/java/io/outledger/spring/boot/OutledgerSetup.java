// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.AppendListener;
import io.outledger.event.ContextPropagator;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.OutledgerBuilder;
import io.outledger.jdbc.Schema;
import io.outledger.time.TimeSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.core.env.Environment;

/** Builds an {@link Outledger} as the properties and beans say. */
final class OutledgerSetup {

  private final OutledgerProperties properties;
  private final ListableBeanFactory beans;

  OutledgerSetup(OutledgerProperties properties, ListableBeanFactory beans) {
    this.properties = properties;
    this.beans = beans;
  }

  /**
   * Creates the tables where that is wanted, checks them, and builds.
   *
   * @param dataSource the application's
   */
  Outledger build(DataSource dataSource) {
    beans.getBeanProvider(Environment.class).ifAvailable(UnboundVariables::tell);
    PropertyProblems.check(properties);
    if (initialisesSchema(dataSource)) {
      schema(dataSource).apply(dataSource);
    }
    return builder(dataSource).build();
  }

  /** Returns what the properties and beans make of a builder. */
  OutledgerBuilder builder(DataSource dataSource) {
    OutledgerBuilder builder =
        Outledger.builder(dataSource)
            .relayDataSource(ofRelays(dataSource))
            .payloadBytesMax(Math.toIntExact(properties.payloadMax().toBytes()))
            .messageRetention(properties.retention().messages())
            .inboxRetention(properties.retention().inbox())
            .auditRetention(properties.retention().audit())
            .retentionInterval(properties.retention().interval())
            .retentionBatch(properties.retention().batch());
    if (properties.schema() != null) {
      builder.schema(properties.schema());
    }
    if (properties.instance() != null) {
      builder.instance(properties.instance());
    }
    if (!properties.retention().enabled()) {
      builder.withoutRetention();
    }
    beans
        .getBeanProvider(PayloadSerializer.class)
        .ifUnique(
            serializer -> {
              PropertyProblems.checkJson(properties.json(), serializer);
              builder.serializer(serializer);
            });
    beans.getBeanProvider(TimeSource.class).ifUnique(builder::time);
    beans
        .getBeanProvider(ContextPropagator.class)
        .orderedStream()
        .reduce(ContextPropagator::and)
        .ifPresent(builder::context);
    beans
        .getBeanProvider(AppendListener.class)
        .orderedStream()
        .reduce(AppendListener::and)
        .ifPresent(builder::appendListener);
    beans
        .getBeanProvider(EventTypesCustomizer.class)
        .orderedStream()
        .forEach(each -> builder.events(each::customize));
    return builder;
  }

  private DataSource ofRelays(DataSource dataSource) {
    String name = properties.relay().dataSource();
    return name == null ? dataSource : DataSources.ofRelays(beans, name);
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
