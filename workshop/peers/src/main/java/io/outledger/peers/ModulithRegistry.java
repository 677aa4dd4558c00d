// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.namastack.outbox.OutboxJacksonAutoConfiguration;
import io.namastack.outbox.config.JdbcOutboxAutoConfiguration;
import io.namastack.outbox.config.JdbcOutboxSchemaAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreInfrastructureAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreMulticasterAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreProcessingAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreSchedulingAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreThreadingAutoConfiguration;
import io.outledger.benchmarks.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.IncompleteEventPublications;

/**
 * Spring Modulith's event publication registry: an event is handed to its listeners from memory
 * after the commit; what was left behind is submitted again from its table when it is asked to.
 */
final class ModulithRegistry implements Application {

  static final SpringSettings DEFAULT = SpringSettings.defaults(ModulithRegistry::new);

  /** Many threads, and a completed publication is deleted. */
  static final SpringSettings BEST =
      SpringSettings.best(
          Map.of(
              "spring.modulith.events.completion-mode", "delete",
              "spring.task.execution.pool.core-size", "32"),
          ModulithRegistry::new);

  private static final String WRITES_ONLY = "outledger.writes-only";

  private final SpringApplicationSite spring;
  private final ApplicationEventPublisher events;
  private final Background background = new Background("resubmit");

  private ModulithRegistry(Site site, SpringSettings settings) {
    this.spring =
        settings
            .with("spring.modulith.events.jdbc.schema-initialization.enabled", "true")
            .with(WRITES_ONLY, !site.isPublishing())
            .start(site, Configuration.class);
    this.events = spring.bean(Events.class).events();
  }

  /** So that it can be asked for: the application itself is one too. */
  record Events(ApplicationEventPublisher events) {}

  /** What Spring Boot finds by itself, but for the other outbox that is on the class path. */
  @SpringBootConfiguration
  @EnableAutoConfiguration(
      exclude = {
        JdbcOutboxAutoConfiguration.class,
        JdbcOutboxSchemaAutoConfiguration.class,
        OutboxJacksonAutoConfiguration.class,
        OutboxCoreInfrastructureAutoConfiguration.class,
        OutboxCoreThreadingAutoConfiguration.class,
        OutboxCoreProcessingAutoConfiguration.class,
        OutboxCoreSchedulingAutoConfiguration.class,
        OutboxCoreMulticasterAutoConfiguration.class
      })
  static class Configuration {

    @Bean
    Events events(ApplicationEventPublisher events) {
      return new Events(events);
    }

    @Bean
    Listener listener(Site site) {
      return new Listener(site.receiver());
    }

    /** As if the application ended before it came to its listeners. */
    @Bean
    @ConditionalOnProperty(WRITES_ONLY)
    Executor taskExecutor() {
      return work -> {};
    }
  }

  /** Publishes. */
  static class Listener {

    private final Receiver receiver;

    Listener(Receiver receiver) {
      this.receiver = receiver;
    }

    @ApplicationModuleListener
    void on(OrderPlaced order) {
      order.reach(receiver);
    }
  }

  @Override
  public void commit(Business business, List<NumberedMessage> messages) {
    spring.commit(business, messages, message -> events.publishEvent(OrderPlaced.of(message)));
  }

  /** What comes needs no start; what waits is submitted again as at a restart. */
  @Override
  public void start() {
    background.run(
        () ->
            spring
                .bean(IncompleteEventPublications.class)
                .resubmitIncompletePublications(publication -> true));
  }

  @Override
  public boolean isSettled() throws SQLException {
    return Sql.isEmpty(
        spring.pool(), "SELECT 1 FROM event_publication WHERE completion_date IS NULL");
  }

  @Override
  public void close() {
    background.close();
    spring.close();
  }
}
