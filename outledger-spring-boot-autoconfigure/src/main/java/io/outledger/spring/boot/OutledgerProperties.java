// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.relay.options.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code outledger.*}. A property that is not among them stops the start.
 *
 * @param enabled whether Outledger is set up at all
 * @param dataSource the name of the data source's bean, where there are several and none is primary
 * @param transactionManager the name of the bean of the transaction manager that handlers and
 *     inboxes use, where it is neither the only or primary one, nor the only one of the data source
 * @param schema the database schema that holds the tables; by default the database's own, such as
 *     public on PostgreSQL
 * @param schemaInitialization when the application creates or upgrades the tables at its start
 * @param instance how this process calls itself in outledger_status; by default its process id and
 *     host. No two processes may have the same
 * @param payloadMax the largest payload of a message
 * @param events which event types there are
 * @param relay the relays, which publish messages
 * @param handlers the methods annotated with @OutboxHandler
 * @param subscriptions what is different for a subscription, by its name: that of the publisher's
 *     bean, or that of @OutboxHandler
 * @param retention how long messages and inbox records are kept
 * @param kafka the publisher to Kafka
 * @param jpa the domain events of JPA entities
 */
@ConfigurationProperties(prefix = "outledger", ignoreUnknownFields = false)
public record OutledgerProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String dataSource,
    @Nullable String transactionManager,
    @Nullable String schema,
    @DefaultValue("embedded") SchemaInitialization schemaInitialization,
    @Nullable String instance,
    @DefaultValue("1MB") DataSize payloadMax,
    @DefaultValue EventProperties events,
    @DefaultValue RelayProperties relay,
    @DefaultValue HandlerProperties handlers,
    @DefaultValue Map<String, SubscriptionProperties> subscriptions,
    @DefaultValue RetentionProperties retention,
    @DefaultValue KafkaPublisherProperties kafka,
    @DefaultValue JpaProperties jpa) {

  /**
   * Which event types there are.
   *
   * @param packages where classes annotated with @OutboxEvent are looked for, with the packages
   *     below; by default the application's own
   * @param fromApplicationEvents whether events of registered types that are published through
   *     Spring's ApplicationEventPublisher are appended, too
   */
  public record EventProperties(
      @DefaultValue List<String> packages, @DefaultValue("false") boolean fromApplicationEvents) {}

  /**
   * The relays.
   *
   * @param enabled whether relays run in this process. Without one, it only appends
   * @param lease how long an owner keeps its subscription without saving; a crashed one is
   *     succeeded after it
   * @param pollInterval how long to wait between polls while nothing happens; commits of this
   *     process wake its relays at once
   * @param attemptsMax after how many failed attempts a message is a dead letter
   * @param backoffFirst the longest wait after the first failed attempt; it doubles with each
   * @param backoffMax the longest wait between two attempts
   * @param handOverMax how long a stop waits for messages in flight
   */
  public record RelayProperties(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("10s") Duration lease,
      @DefaultValue("40ms") Duration pollInterval,
      @DefaultValue("10") int attemptsMax,
      @DefaultValue("1s") Duration backoffFirst,
      @DefaultValue("5m") Duration backoffMax,
      @DefaultValue("10s") Duration handOverMax) {}

  /**
   * Handlers.
   *
   * @param concurrency how many messages each handler works on at a time, unless its annotation
   *     says otherwise
   */
  public record HandlerProperties(@DefaultValue("4") int concurrency) {}

  /**
   * The settings of one subscription.
   *
   * @param attemptsMax after how many failed attempts a message is a dead letter
   * @param backoffFirst the longest wait after the first failed attempt; it doubles with each
   * @param backoffMax the longest wait between two attempts
   * @param deadLetter whether later messages of a dead letter's key go on or stay blocked
   * @param startNow whether it starts after the messages that are there when it is created; else at
   *     the first that the ledger still has
   */
  public record SubscriptionProperties(
      @Nullable Integer attemptsMax,
      @Nullable Duration backoffFirst,
      @Nullable Duration backoffMax,
      RetryPolicy.@Nullable DeadLetter deadLetter,
      @DefaultValue("false") boolean startNow) {}

  /**
   * Retention.
   *
   * @param enabled whether processes with a relay remove what is old
   * @param messages how old a message may become that every subscription has settled
   * @param inbox how long inboxes remember a message
   */
  public record RetentionProperties(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("7d") Duration messages,
      @DefaultValue("14d") Duration inbox) {}

  /**
   * The publisher to Kafka. Its servers and security come from {@code spring.kafka.*}.
   *
   * @param source the CloudEvents source of all messages
   * @param topicPrefix what is put before a message's topic to name Kafka's
   * @param properties further settings of the producer, by their Kafka names
   */
  public record KafkaPublisherProperties(
      @DefaultValue("/outledger") String source,
      @DefaultValue("") String topicPrefix,
      @DefaultValue Map<String, String> properties) {}

  /**
   * The domain events of JPA entities.
   *
   * @param enabled whether they are captured and appended when the entities' changes are written
   */
  public record JpaProperties(@DefaultValue("true") boolean enabled) {}
}
