// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.relay.options.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
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
 * @param payloadMax the largest payload of a message; the default leaves room for headers in what
 *     Kafka's producer takes by default
 * @param events which event types there are
 * @param json how events become JSON
 * @param relay the relays, which publish messages
 * @param receiving the receivers of methods annotated with @InboxListener
 * @param handlers the methods annotated with @OutboxHandler
 * @param subscriptions what is different for a subscription, by its name: that of the publisher's
 *     bean, or that of @OutboxHandler
 * @param publishers the publishers, by the names of their subscriptions, beside those that are
 *     beans
 * @param receivers the receivers, by the names of their consumers
 * @param retention how long messages and inbox records are kept
 * @param jpa the domain events of JPA entities
 * @param health what makes the application's health DOWN
 * @param meters the gauges of what the database says
 * @param schemaRegistry a schema registry, for payloads in Avro
 */
@ConfigurationProperties(prefix = "outledger", ignoreUnknownFields = false)
public record OutledgerProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String dataSource,
    @Nullable String transactionManager,
    @Nullable String schema,
    @DefaultValue("embedded") SchemaInitialization schemaInitialization,
    @Nullable String instance,
    @DefaultValue("960KB") DataSize payloadMax,
    @DefaultValue EventProperties events,
    @DefaultValue JsonProperties json,
    @DefaultValue RelayProperties relay,
    @DefaultValue ReceivingProperties receiving,
    @DefaultValue HandlerProperties handlers,
    @DefaultValue Map<String, SubscriptionProperties> subscriptions,
    @DefaultValue Map<String, PublisherProperties> publishers,
    @DefaultValue Map<String, ReceiverProperties> receivers,
    @DefaultValue RetentionProperties retention,
    @DefaultValue JpaProperties jpa,
    @DefaultValue HealthProperties health,
    @DefaultValue MetersProperties meters,
    @NestedConfigurationProperty @DefaultValue SchemaRegistryProperties schemaRegistry) {

  /**
   * Which event types there are.
   *
   * @param packages where classes annotated with @OutboxEvent are looked for, with the packages
   *     below; by default the application's own
   * @param fromApplicationEvents whether events of registered types that are published through
   *     Spring's ApplicationEventPublisher are appended, too; by default where Spring Data JDBC is
   *     on the class path, whose repositories publish what aggregates register
   */
  public record EventProperties(
      @DefaultValue List<String> packages, @Nullable Boolean fromApplicationEvents) {}

  /**
   * How events become JSON.
   *
   * @param mapper whose settings payloads have: Outledger's own with the application's modules, or
   *     those of the application's mapper, whose every change then changes payloads
   * @param checkAtStart whether the start fails if a registered event cannot be written and read;
   *     else that is checked as soon as the application is ready
   * @param strict whether a payload fails that has a field which the event's class does not have,
   *     or lacks one that the class is created from; else such fields are counted and ignored, or
   *     get their default. Not with the application's mapper, which has settings of its own
   */
  public record JsonProperties(
      @DefaultValue("own") JsonMapper mapper,
      @DefaultValue("false") boolean checkAtStart,
      @DefaultValue("false") boolean strict) {}

  /** Whose settings the JSON of payloads has. */
  public enum JsonMapper {
    /** Outledger's own, with the application's modules of Jackson. */
    OWN,
    /** Those of the application's mapper, but for what keeps payloads safe. */
    APPLICATION
  }

  /**
   * The relays.
   *
   * @param enabled whether relays run in this process. Without one, it only appends
   * @param dataSource the name of the bean of the data source that relays take their own
   *     connections from, where that is not the application's pool
   * @param lease how long an owner keeps its subscription without saving; a crashed one is
   *     succeeded after it
   * @param pollInterval how long to wait between polls while nothing happens; commits of this
   *     process wake its relays at once
   * @param attemptsMax after how many failed attempts a message is a dead letter
   * @param backoffFirst the longest wait after the first failed attempt; it doubles with each
   * @param backoffMax the longest wait between two attempts
   * @param handOverMax how long a stop waits for messages in flight
   * @param tuning options that few applications change
   */
  public record RelayProperties(
      @DefaultValue("true") boolean enabled,
      @Nullable String dataSource,
      @DefaultValue("10s") Duration lease,
      @DefaultValue("40ms") Duration pollInterval,
      @DefaultValue("10") int attemptsMax,
      @DefaultValue("1s") Duration backoffFirst,
      @DefaultValue("5m") Duration backoffMax,
      @DefaultValue("10s") Duration handOverMax,
      @DefaultValue @NestedConfigurationProperty RelayTuning tuning) {}

  /**
   * Receivers.
   *
   * @param enabled whether receivers run in this process
   */
  public record ReceivingProperties(@DefaultValue("true") boolean enabled) {}

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
   * @param replaces the routes of which what earlier instances declared, and this one has not,
   *     ends: a handler that was removed, or a type that it handles no longer
   * @param partitions into how many shares its keys are divided, which several processes work on at
   *     the same time; the first start defines it. More than 1 needs outledger.relay.data-source
   */
  public record SubscriptionProperties(
      @Nullable Integer attemptsMax,
      @Nullable Duration backoffFirst,
      @Nullable Duration backoffMax,
      RetryPolicy.@Nullable DeadLetter deadLetter,
      @DefaultValue("false") boolean startNow,
      @DefaultValue List<String> replaces,
      @DefaultValue("1") int partitions) {}

  /**
   * Retention.
   *
   * @param enabled whether processes with a relay remove what is old
   * @param messages how old a message may become that every subscription has settled
   * @param inbox how long inboxes remember a message
   * @param audit how long operators' requests are kept after their end, a day or more
   * @param interval how long to wait between two removals
   * @param batch how many positions of the ledger, and how many inbox records, one transaction
   *     removes; at most a million
   */
  public record RetentionProperties(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("7d") Duration messages,
      @DefaultValue("14d") Duration inbox,
      @DefaultValue("400d") Duration audit,
      @DefaultValue("10m") Duration interval,
      @DefaultValue("10000") int batch) {}

  /**
   * The domain events of JPA entities.
   *
   * @param enabled whether they are captured and appended when the entities' changes are written
   */
  public record JpaProperties(@DefaultValue("true") boolean enabled) {}

  /**
   * The health indicator.
   *
   * @param destinations whether a destination, or the broker of a receiver, that was away for a
   *     minute makes it DOWN. By default it is a detail: no instance is better off restarted
   */
  public record HealthProperties(@DefaultValue("false") boolean destinations) {}

  /**
   * The gauges of what the database says, where there is Micrometer.
   *
   * @param interval how often the database is read for them; zero for no gauges
   */
  public record MetersProperties(@DefaultValue("15s") Duration interval) {}
}
