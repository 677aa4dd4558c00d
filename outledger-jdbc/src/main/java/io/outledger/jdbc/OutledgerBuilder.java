// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.AppendListener;
import io.outledger.MessageIds;
import io.outledger.Name;
import io.outledger.Problems;
import io.outledger.Require;
import io.outledger.event.ContextPropagator;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import io.outledger.inbox.InboxRetention;
import io.outledger.time.TimeSource;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Collects the settings of an {@link Outledger}, and builds it. Not thread-safe. */
public final class OutledgerBuilder {

  final DataSource dataSource;
  private final EventTypes.Builder types = EventTypes.builder();
  private final Events.Builder events = Events.builder();
  private @Nullable String schema;
  DataSource relayDataSource;
  boolean hasRelayDataSource;
  Duration inboxRetention = InboxRetention.DEFAULT.keep();
  @Nullable String instance;
  Duration messageRetention = Retention.MESSAGES_DEFAULT;
  Duration auditRetention = Retention.AUDIT_DEFAULT;
  Duration retentionInterval = Retention.EVERY_DEFAULT;
  int retentionBatch = Retention.BATCH_DEFAULT;
  boolean hasRetention = true;
  TimeSource time = TimeSource.system();
  AppendListener appendListener = AppendListener.NONE;

  OutledgerBuilder(DataSource dataSource) {
    this.dataSource = Require.nonNull("dataSource", dataSource);
    this.relayDataSource = dataSource;
  }

  /**
   * Sets the database schema that holds the tables. The default is the one in which a connection
   * finds them, else its current one: {@code public} on PostgreSQL, unless the connection's URL,
   * its pool or its role says otherwise.
   *
   * @param value a letter or underscore, then up to 62 letters, digits or underscores, exact in
   *     case
   */
  public OutledgerBuilder schema(String value) {
    schema = Require.nonNull("schema", value);
    return this;
  }

  /** Registers event types; may be called more than once. The default is none. */
  public OutledgerBuilder events(Consumer<EventTypes.Builder> value) {
    Require.nonNull("events", value).accept(types);
    return this;
  }

  /** Sets the serializer of payloads; required if event types are registered. */
  public OutledgerBuilder serializer(PayloadSerializer value) {
    events.serializer(Require.nonNull("serializer", value));
    return this;
  }

  /**
   * Sets the maximum size of a payload in bytes; the default is {@value Events#PAYLOAD_BYTES_MAX}.
   */
  public OutledgerBuilder payloadBytesMax(int value) {
    events.payloadBytesMax(value);
    return this;
  }

  /**
   * Sets what carries the context of threads, such as the tenant, with messages: into headers when
   * they are appended, and back around their handling, before its transaction begins. Each message
   * then has a transaction of its own. The default carries nothing.
   */
  public OutledgerBuilder context(ContextPropagator value) {
    events.context(value);
    return this;
  }

  /** Sets who learns how long appends take; the default is nobody. */
  public OutledgerBuilder appendListener(AppendListener value) {
    appendListener = Require.nonNull("appendListener", value);
    return this;
  }

  /**
   * Sets the data source of relays; the default is the application's data source. A relay holds its
   * connection for as long as it runs, so use a separate data source if the application's pool is
   * small. It is required with {@link RelayBuilder#partitions}, which hold one each. One without a
   * pool is best, such as the driver's own {@code PGSimpleDataSource}. Do not use a pooler that
   * assigns each transaction another session.
   */
  public OutledgerBuilder relayDataSource(DataSource value) {
    relayDataSource = Require.nonNull("relayDataSource", value);
    hasRelayDataSource = true;
    return this;
  }

  /** Sets how long inboxes keep the id of a message; the default is 14 days. */
  public OutledgerBuilder inboxRetention(Duration value) {
    inboxRetention = Require.nonNull("inboxRetention", value);
    return this;
  }

  /**
   * Sets the age at which messages that every subscription has settled are removed; the default is
   * 7 days. The processes that start a relay remove them every ten minutes.
   *
   * @param value zero or more; checked by {@link #build()}
   */
  public OutledgerBuilder messageRetention(Duration value) {
    messageRetention = Require.nonNull("messageRetention", value);
    return this;
  }

  /**
   * Sets how long operators' requests are kept after their end; the default is 400 days.
   *
   * @param value a day or more; checked by {@link #build()}
   */
  public OutledgerBuilder auditRetention(Duration value) {
    auditRetention = Require.nonNull("auditRetention", value);
    return this;
  }

  /**
   * Sets how long the default retention of this process waits between two removals; the default is
   * ten minutes.
   *
   * @param value a millisecond or more; checked by {@link #build()}
   */
  public OutledgerBuilder retentionInterval(Duration value) {
    retentionInterval = Require.nonNull("retentionInterval", value);
    return this;
  }

  /**
   * Sets how much retention removes in one transaction: so many positions of the ledger, and so
   * many inbox records. The default is {@value Retention#BATCH_DEFAULT}. A smaller number keeps its
   * transactions, and what waits for them, shorter; a larger one needs fewer of them.
   *
   * @param value 1 to {@value Retention#BATCH_MAX}; checked by {@link #build()}
   */
  public OutledgerBuilder retentionBatch(int value) {
    retentionBatch = value;
    return this;
  }

  /**
   * Disables the default retention in this process. By default, starting a relay or a receiver also
   * starts the removal of old messages, and of old inbox records of the consumers in this process.
   * Disable it if another process runs the retention.
   */
  public OutledgerBuilder withoutRetention() {
    hasRetention = false;
    return this;
  }

  /**
   * Sets the source of time for new messages, their ids, and the waits and logs of relays. New
   * messages are events, and builders that are appended: {@code append(Message.to(…))}. One that
   * your code has built by {@code build()} keeps the id and the time that it got there. The default
   * is {@link TimeSource#system()}. Leases and retention use the database's clock, because several
   * processes must agree on them.
   */
  public OutledgerBuilder time(TimeSource value) {
    time = Require.nonNull("time", value);
    events.time(value).ids(new MessageIds(value, new SecureRandom()));
    return this;
  }

  /**
   * Sets the name of this process in the table {@code outledger_status}; the default is its process
   * id and host. Processes that share a ledger need different names.
   *
   * @param value a name; checked by {@link #build()}
   */
  public OutledgerBuilder instance(String value) {
    instance = Require.nonNull("instance", value);
    return this;
  }

  /**
   * Checks all settings at once, detects the database, checks the schema, and builds the instance.
   * If several settings are not valid, the exception lists each with its code; its own code is
   * {@code OUT-021} if theirs differ.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-003} to {@code OUT-005} if the schema is
   *     missing, older or newer, {@code OUT-006} if a name is not valid, {@code OUT-018} if the
   *     inbox's retention is not positive, {@code OUT-020} if the database is not supported or its
   *     module is not on the class path, {@code OUT-021} listing every problem with the event types
   *     and limits
   * @throws io.outledger.StoreException {@code OUT-016} if the database cannot be reached
   */
  public Outledger build() {
    Problems problems = Problems.of("invalid set-up of Outledger");
    Optional<Events> built = problems.attempt(events.types(types)::build);
    problems.check(() -> new InboxRetention(inboxRetention));
    problems.require(
        !messageRetention.isNegative(),
        "messageRetention is " + messageRetention + " but must not be negative");
    problems.require(
        auditRetention.compareTo(Duration.ofDays(1)) >= 0,
        "auditRetention is " + auditRetention + " but must be a day or more");
    problems.require(
        retentionInterval.compareTo(Duration.ofMillis(1)) >= 0,
        "retentionInterval is " + retentionInterval + " but must be a millisecond or more");
    problems.require(
        retentionBatch >= 1 && retentionBatch <= Retention.BATCH_MAX,
        "retentionBatch is " + retentionBatch + " but must be 1 to " + Retention.BATCH_MAX);
    if (instance != null) {
      problems.check(() -> Name.check("instance", instance));
    }
    problems.refuse();
    Databases.Located found = Databases.located(dataSource, schema);
    found.database().schema().check(dataSource);
    return new Outledger(this, built.orElseThrow(), found);
  }
}
