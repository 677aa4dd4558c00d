// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Given;
import io.outledger.MessageIds;
import io.outledger.Name;
import io.outledger.Problems;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.spi.Database;
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
  Duration inboxRetention = InboxRetention.DEFAULT.keep();
  @Nullable String instance;
  Duration messageRetention = Retention.MESSAGES_DEFAULT;
  boolean hasRetention = true;
  TimeSource time = TimeSource.system();

  OutledgerBuilder(DataSource dataSource) {
    this.dataSource = Given.check("dataSource", dataSource);
    this.relayDataSource = dataSource;
  }

  /**
   * Sets the database schema that holds the tables; the default is the database's own: {@code
   * public} on PostgreSQL.
   *
   * @param value a letter or underscore, then up to 62 letters, digits or underscores, exact in
   *     case
   */
  public OutledgerBuilder schema(String value) {
    schema = Given.check("schema", value);
    return this;
  }

  /** Registers event types; may be called more than once. The default is none. */
  public OutledgerBuilder events(Consumer<EventTypes.Builder> value) {
    Given.check("events", value).accept(types);
    return this;
  }

  /** Sets the serializer of payloads; required if event types are registered. */
  public OutledgerBuilder serializer(PayloadSerializer value) {
    events.serializer(Given.check("serializer", value));
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
   * Sets the data source of relays; the default is the application's data source. A relay holds its
   * connection for as long as it runs, so use a separate data source if the application's pool is
   * small. One without a pool is best, such as the driver's own {@code PGSimpleDataSource}. Do not
   * use a pooler that assigns each transaction another session.
   */
  public OutledgerBuilder relayDataSource(DataSource value) {
    relayDataSource = Given.check("relayDataSource", value);
    return this;
  }

  /** Sets how long inboxes keep the id of a message; the default is 14 days. */
  public OutledgerBuilder inboxRetention(Duration value) {
    inboxRetention = Given.check("inboxRetention", value);
    return this;
  }

  /**
   * Sets the age at which messages that every subscription has settled are removed; the default is
   * 7 days. The processes that start a relay remove them every ten minutes.
   *
   * @param value zero or more; checked by {@link #build()}
   */
  public OutledgerBuilder messageRetention(Duration value) {
    messageRetention = Given.check("messageRetention", value);
    return this;
  }

  /**
   * Disables the default retention in this process. By default, starting a relay also starts the
   * removal of old messages, and of old inbox records of the consumers in this process. Disable it
   * if another process runs the retention.
   */
  public OutledgerBuilder withoutRetention() {
    hasRetention = false;
    return this;
  }

  /**
   * Sets the source of time for new messages, their ids, and the waits and logs of relays. The
   * default is {@link TimeSource#system()}. Leases and retention use the database's clock, because
   * several processes must agree on them.
   */
  public OutledgerBuilder time(TimeSource value) {
    time = Given.check("time", value);
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
    instance = Given.check("instance", value);
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
    if (instance != null) {
      problems.check(() -> Name.check("instance", instance));
    }
    problems.refuse();
    Database database = Databases.find(dataSource, schema);
    database.schema().check(dataSource);
    return new Outledger(this, built.orElseThrow(), database);
  }
}
