// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.MessageIds;
import io.outledger.Name;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PassedOver;
import io.outledger.event.PayloadSerializer;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.spi.Database;
import io.outledger.time.TimeSource;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The entry point to Outledger on a database. Thread-safe. Create one instance for each database
 * and close it at shutdown.
 *
 * <pre>{@code
 * Outledger outledger = Outledger.builder(dataSource).build();
 * outledger.outbox().append(connection, Message.to("orders", "order.placed").key("o-1").build());
 * }</pre>
 */
public final class Outledger implements AutoCloseable {

  private final Events events;
  private final Database database;
  private final JdbcTransactions transactions;
  private final InboxRetention inboxRetention;
  private final DataSource dataSource;
  private final DataSource relayDataSource;
  private final Life life = new Life();
  private final StatusBoard statuses;
  private final OpenRelays relays = new OpenRelays();
  private final TimeSource time;
  private final Duration messageRetention;
  private final OpenRetentions retentions;
  private final JdbcOutbox outbox;
  private final PassedOver passedOver = new PassedOver();
  private final Set<String> consumers = ConcurrentHashMap.newKeySet();

  private Outledger(Builder builder, Events events, Database database) {
    this.events = events;
    this.database = database;
    this.transactions = new JdbcTransactions(builder.dataSource, database);
    this.inboxRetention = new InboxRetention(builder.inboxRetention);
    this.dataSource = builder.dataSource;
    this.relayDataSource = builder.relayDataSource;
    this.statuses =
        new StatusBoard(
            database.status(builder.relayDataSource),
            new InstanceName(builder.instance),
            builder.time);
    this.time = builder.time;
    this.messageRetention = builder.messageRetention;
    this.retentions = new OpenRetentions(life, builder.hasRetention);
    this.outbox = new JdbcOutbox(new Appending(events, database, life), transactions, relays::wake);
  }

  /**
   * Returns a builder for a database. It opens no connection before {@link Builder#build()}.
   *
   * @param dataSource the application's data source; a pool of one connection is sufficient
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  /**
   * Returns the write side, which appends messages and creates the {@link io.outledger.Outbox} that
   * application code uses.
   */
  public JdbcOutbox outbox() {
    return outbox;
  }

  /** Returns a small transaction manager for plain JDBC, on the application's data source. */
  public JdbcTransactions transactions() {
    return transactions;
  }

  /** Returns the application's data source, as it was given. */
  public DataSource dataSource() {
    return dataSource;
  }

  /** Returns the converter between events and messages. */
  public Events events() {
    return events;
  }

  /**
   * Returns the inbox of a consumer.
   *
   * @param consumer its name, which must never change and must be unique among the services that
   *     use this schema
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public JdbcInbox inbox(String consumer) {
    life.require("use an inbox");
    Inbox<Connection> inbox = new Inbox<>(consumer, new InboxRows(database));
    consumers.add(consumer);
    return new JdbcInbox(
        inbox, transactions, inboxRetention, new TypedWork.Parts(events, outbox, passedOver, life));
  }

  /**
   * Returns a builder of a relay for a subscription. Any number of relays may run, in this and in
   * other processes: one is active, the others are on standby.
   *
   * @param subscription its name, which must never change
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public RelayBuilder relay(String subscription) {
    life.require("create a relay");
    return new RelayBuilder(
        Name.check("subscription", subscription),
        new RelayBuilder.Parts(
            wanted -> database.relayStore(relayDataSource, wanted),
            relays,
            statuses,
            life,
            time,
            this::startDefaultRetention),
        this::inbox);
  }

  /**
   * Returns how many deliveries typed handlers have skipped since the start because the message
   * type is not registered. The key is reader, type and version, such as {@code relay/mail:
   * order.cancelled v1}. The log reports each key once.
   */
  public Map<String, Long> passedOver() {
    return passedOver.counts();
  }

  /** Returns the schema, to print, apply or check the tables. */
  public Schema schema() {
    return Schema.of(database);
  }

  /**
   * Returns the retention, which removes old messages and inbox records. By default it starts with
   * the first relay, unless {@link Builder#withoutRetention()} disabled it; a retention started
   * here replaces the default one.
   */
  public Retention retention() {
    life.require("purge old rows");
    return new Retention(database, dataSource, inboxRetention, this::starting);
  }

  private Supplier<RunningRetention> starting(Supplier<RunningRetention> start) {
    return () -> retentions.choose(start);
  }

  private void startDefaultRetention() {
    retentions.startDefault(
        () -> {
          Retention retention = retention();
          return RunningRetention.start(
              retention, messageRetention, retention.inboxesOf(consumers), Retention.EVERY_DEFAULT);
        });
  }

  /** Returns the administration of subscriptions: list, move and delete. */
  public Subscriptions subscriptions() {
    life.require("administer subscriptions");
    return new Subscriptions(database.subscriptions(dataSource));
  }

  /**
   * Returns the administration of parked messages: list, retry and discard.
   *
   * @param subscription its name
   */
  public ParkedMessages parkedMessages(String subscription) {
    life.require("administer parked messages");
    return new ParkedMessages(database.parked(dataSource), subscription);
  }

  /**
   * Stops the relays started by this instance, and the retention. Each relay settles its messages
   * in flight and releases its lease. Afterwards every use of this instance fails with {@code
   * OUT-026}; running transactions may finish. The data sources belong to the application and stay
   * open. Idempotent.
   */
  @Override
  public void close() {
    life.closing();
    relays.close();
    retentions.close();
    statuses.close();
    life.closed();
  }

  /** Collects the settings of an {@link Outledger}. Not thread-safe. */
  public static final class Builder {

    private final DataSource dataSource;
    private final EventTypes.Builder types = EventTypes.builder();
    private final Events.Builder events = Events.builder();
    private @Nullable String schema;
    private DataSource relayDataSource;
    private Duration inboxRetention = InboxRetention.DEFAULT.keep();
    private @Nullable String instance;
    private Duration messageRetention = Retention.MESSAGES_DEFAULT;
    private boolean hasRetention = true;
    private TimeSource time = TimeSource.system();

    private Builder(DataSource dataSource) {
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
    public Builder schema(String value) {
      schema = Given.check("schema", value);
      return this;
    }

    /** Registers event types; may be called more than once. The default is none. */
    public Builder events(Consumer<EventTypes.Builder> value) {
      Given.check("events", value).accept(types);
      return this;
    }

    /** Sets the serializer of payloads; required if event types are registered. */
    public Builder serializer(PayloadSerializer value) {
      events.serializer(Given.check("serializer", value));
      return this;
    }

    /**
     * Sets the maximum size of a payload in bytes; the default is {@value
     * Events#PAYLOAD_BYTES_MAX}.
     */
    public Builder payloadBytesMax(int value) {
      events.payloadBytesMax(value);
      return this;
    }

    /**
     * Sets the data source of relays; the default is the application's data source. A relay holds
     * its connection for as long as it runs, so use a separate data source if the application's
     * pool is small. One without a pool is best, such as the driver's own {@code
     * PGSimpleDataSource}. Do not use a pooler that assigns each transaction another session.
     */
    public Builder relayDataSource(DataSource value) {
      relayDataSource = Given.check("relayDataSource", value);
      return this;
    }

    /** Sets how long inboxes keep the id of a message; the default is 14 days. */
    public Builder inboxRetention(Duration value) {
      inboxRetention = Given.check("inboxRetention", value);
      return this;
    }

    /**
     * Sets the age at which messages that every subscription has settled are removed; the default
     * is 7 days. The processes that start a relay remove them every ten minutes.
     *
     * @param value zero or more; checked by {@link #build()}
     */
    public Builder messageRetention(Duration value) {
      messageRetention = Given.check("messageRetention", value);
      return this;
    }

    /**
     * Disables the default retention in this process. By default, starting a relay also starts the
     * removal of old messages, and of old inbox records of the consumers in this process. Disable
     * it if another process runs the retention.
     */
    public Builder withoutRetention() {
      hasRetention = false;
      return this;
    }

    /**
     * Sets the source of time for new messages, their ids, and the waits and logs of relays. The
     * default is {@link TimeSource#system()}. Leases and retention use the database's clock,
     * because several processes must agree on them.
     */
    public Builder time(TimeSource value) {
      time = Given.check("time", value);
      events.time(value).ids(new MessageIds(value, new SecureRandom()));
      return this;
    }

    /**
     * Sets the name of this process in the table {@code outledger_status}; the default is its
     * process id and host. Processes that share a ledger need different names.
     *
     * @param value a name; checked by {@link #build()}
     */
    public Builder instance(String value) {
      instance = Given.check("instance", value);
      return this;
    }

    /**
     * Detects the database, checks the schema, and builds the instance.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-003} to {@code OUT-005} if the schema
     *     is missing, older or newer, {@code OUT-006} if a name is not valid, {@code OUT-018} if
     *     the inbox's retention is not positive, {@code OUT-020} if the database is not supported
     *     or its module is not on the class path, {@code OUT-021} listing every problem with the
     *     event types and limits
     * @throws io.outledger.StoreException {@code OUT-016} if the database cannot be reached
     */
    public Outledger build() {
      Events built = events.types(types.build()).build();
      if (messageRetention.isNegative()) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION,
            "messageRetention is " + messageRetention + " but must not be negative");
      }
      Database database = Databases.find(dataSource, schema);
      database.schema().check(dataSource);
      return new Outledger(this, built, database);
    }
  }
}
