// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxJacksonAutoConfiguration;
import io.namastack.outbox.OutboxProcessingScheduler;
import io.namastack.outbox.config.JdbcOutboxAutoConfiguration;
import io.namastack.outbox.config.JdbcOutboxSchemaAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreInfrastructureAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreMulticasterAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreProcessingAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreSchedulingAutoConfiguration;
import io.namastack.outbox.config.OutboxCoreThreadingAutoConfiguration;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import io.outledger.benchmarks.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.DefaultLifecycleProcessor;

/**
 * namastack-outbox: a scheduler reads the keys that have something to publish, and threads publish
 * each key's records in order and update each of them.
 */
final class NamastackOutbox implements Application {

  static final SpringSettings DEFAULT = SpringSettings.defaults(NamastackOutbox::new);

  /** All keys at a poll, polls close together, and many threads. */
  static final SpringSettings BEST =
      SpringSettings.best(
          Map.of(
              "namastack.outbox.polling.batch-size", "1000",
              "namastack.outbox.polling.fixed.interval", "50ms",
              "namastack.outbox.processing.executor-core-pool-size", "32",
              "namastack.outbox.processing.executor-max-pool-size", "32",
              "namastack.outbox.processing.delete-completed-records", "true"),
          NamastackOutbox::new);

  private final SpringApplicationSite spring;
  private final Outbox outbox;

  private NamastackOutbox(Site site, SpringSettings settings) {
    this.spring = settings.start(site, site.isPublishing() ? Publishing.class : Writing.class);
    this.outbox = spring.bean(Outbox.class);
    if (site.isPublishing()) {
      // It has begun with its application, and would publish before it is told to.
      scheduler().stop();
    }
  }

  /** What Spring Boot would find by itself if nothing else were on the class path. */
  @SpringBootConfiguration
  @ImportAutoConfiguration({
    DataSourceTransactionManagerAutoConfiguration.class,
    JdbcTemplateAutoConfiguration.class,
    JdbcClientAutoConfiguration.class,
    TransactionAutoConfiguration.class,
    TaskExecutionAutoConfiguration.class,
    TaskSchedulingAutoConfiguration.class,
    JdbcOutboxAutoConfiguration.class,
    JdbcOutboxSchemaAutoConfiguration.class,
    OutboxJacksonAutoConfiguration.class,
    OutboxCoreInfrastructureAutoConfiguration.class,
    OutboxCoreThreadingAutoConfiguration.class,
    OutboxCoreProcessingAutoConfiguration.class,
    OutboxCoreMulticasterAutoConfiguration.class
  })
  static class Configuration {

    @Bean
    Handler handler(Site site) {
      return new Handler(site.receiver());
    }
  }

  /** An application that publishes. */
  @SpringBootConfiguration
  @Import(Configuration.class)
  @ImportAutoConfiguration(OutboxCoreSchedulingAutoConfiguration.class)
  static class Publishing {}

  /**
   * One that only writes, of which nothing is started: else it would take its share of the keys
   * from who publishes.
   */
  @SpringBootConfiguration
  @Import(Configuration.class)
  static class Writing {

    @Bean
    LifecycleProcessor lifecycleProcessor() {
      return new DefaultLifecycleProcessor() {
        @Override
        public void onRefresh() {}
      };
    }
  }

  /** Publishes. */
  static final class Handler implements OutboxTypedHandler<OrderPlaced> {

    private final Receiver receiver;

    Handler(Receiver receiver) {
      this.receiver = receiver;
    }

    @Override
    public void handle(OrderPlaced order, OutboxRecordMetadata metadata) {
      order.reach(receiver);
    }
  }

  private OutboxProcessingScheduler scheduler() {
    return spring.bean(OutboxProcessingScheduler.class);
  }

  @Override
  public void commit(Business business, List<NumberedMessage> messages) {
    spring.commit(
        business, messages, message -> outbox.schedule(OrderPlaced.of(message), message.key()));
  }

  @Override
  public void start() {
    scheduler().start();
  }

  @Override
  public boolean isSettled() throws SQLException {
    return Sql.isEmpty(spring.pool(), "SELECT 1 FROM outbox_record WHERE status = 'NEW'");
  }

  @Override
  public void close() {
    spring.close();
  }
}
