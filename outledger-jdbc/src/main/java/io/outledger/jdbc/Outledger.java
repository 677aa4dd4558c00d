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
 * The door: everything an application needs of Outledger comes from here. Thread-safe; make one for
 * each database, and close it at shutdown.
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
   * Starts one for a database. No connection is opened before {@link Builder#build()}.
   *
   * @param dataSource the application's own; a pool of one connection will do
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  /**
   * Returns the write side: it appends, and makes what application code takes as an {@link
   * io.outledger.Outbox}.
   */
  public JdbcOutbox outbox() {
    return outbox;
  }

  /** Returns a small transaction manager for plain JDBC, on the application's data source. */
  public JdbcTransactions transactions() {
    return transactions;
  }

  /** Returns what turns events into messages and back. */
  public Events events() {
    return events;
  }

  /**
   * Returns the inbox of a consumer.
   *
   * @param consumer its name, which must never change, and which no other service that uses this
   *     schema may use
   * @throws io.outledger.ConfigurationException {@code OUT-006} where the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} where this was closed
   */
  public JdbcInbox inbox(String consumer) {
    life.require("use an inbox");
    Inbox<Connection> inbox = new Inbox<>(consumer, new InboxRows(database));
    consumers.add(consumer);
    return new JdbcInbox(
        inbox, transactions, inboxRetention, new TypedWork.Parts(events, outbox, passedOver, life));
  }

  /**
   * Begins a relay of a subscription. Any number may run, here and in other processes: one works,
   * the others stand by.
   *
   * @param subscription its name, which must never change
   * @throws io.outledger.ConfigurationException {@code OUT-006} where the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} where this was closed
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
   * Returns how many deliveries typed handlers have passed over since the start, because nothing of
   * the message's type is registered: by reader, type and version, such as {@code relay/mail:
   * order.cancelled v1}. The log tells of each once.
   */
  public Map<String, Long> passedOver() {
    return passedOver.counts();
  }

  /** Returns the tables: to print, apply or check. */
  public Schema schema() {
    return Schema.of(database);
  }

  /**
   * Returns what removes old messages and inbox records. It runs by itself where a relay was
   * started, unless it was switched off by {@link Builder#withoutRetention()}; starting one here
   * takes the place of that.
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

  /** Returns what lists, moves and deletes subscriptions. */
  public Subscriptions subscriptions() {
    life.require("administer subscriptions");
    return new Subscriptions(database.subscriptions(dataSource));
  }

  /**
   * Returns what lists, retries and discards the parked messages of a subscription.
   *
   * @param subscription its name
   */
  public ParkedMessages parkedMessages(String subscription) {
    life.require("administer parked messages");
    return new ParkedMessages(database.parked(dataSource), subscription);
  }

  /**
   * Stops the relays that were started from here, and the retention: each relay settles what is in
   * flight and gives its lease back. Afterwards whatever is used of this, but for running
   * transactions, fails with {@code OUT-026}. The data sources stay open: they are the
   * application's. Idempotent.
   */
  @Override
  public void close() {
    life.closing();
    relays.close();
    retentions.close();
    statuses.close();
    life.closed();
  }

  /** Collects how an Outledger is to be. Not thread-safe. */
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
      this.dataSource = Given.check("data source", dataSource);
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
      schema = Given.check("name of the schema", value);
      return this;
    }

    /** Registers event types; may be said more than once. The default is none. */
    public Builder events(Consumer<EventTypes.Builder> value) {
      Given.check("registration of events", value).accept(types);
      return this;
    }

    /** Sets what writes and reads payloads; needed where event types are registered. */
    public Builder serializer(PayloadSerializer value) {
      events.serializer(Given.check("serializer", value));
      return this;
    }

    /** Sets the most bytes of a payload; the default is {@value Events#PAYLOAD_BYTES_MAX}. */
    public Builder payloadBytesMax(int value) {
      events.payloadBytesMax(value);
      return this;
    }

    /**
     * Sets where relays take their connections from; the default is the application's data source.
     * A relay keeps its connection for as long as it runs, so where the application's pool is
     * small, give another: one without a pool is best, such as the driver's own {@code
     * PGSimpleDataSource}. Not behind a pooler that gives each transaction another session.
     */
    public Builder relayDataSource(DataSource value) {
      relayDataSource = Given.check("data source of relays", value);
      return this;
    }

    /** Sets how long inboxes remember a message; the default is 14 days. */
    public Builder inboxRetention(Duration value) {
      inboxRetention = Given.check("retention of the inbox", value);
      return this;
    }

    /**
     * Sets how old a message that every subscription has settled may become; the default is 7 days.
     * Older ones are removed by the processes that start a relay, every ten minutes.
     *
     * @param value zero or more; checked by {@link #build()}
     */
    public Builder messageRetention(Duration value) {
      messageRetention = Given.check("retention of messages", value);
      return this;
    }

    /**
     * Has this process remove nothing by itself. By default, starting a relay starts the removal of
     * old messages, and of the old inbox records of the consumers that this process has, too.
     * Switch it off where another process does it.
     */
    public Builder withoutRetention() {
      hasRetention = false;
      return this;
    }

    /**
     * Sets where the time comes from: that of new messages and their ids, and all that relays wait
     * for and log. The default is {@link TimeSource#system()}. Leases and retention go by the
     * database's clock, because several processes have to agree on them.
     */
    public Builder time(TimeSource value) {
      time = Given.check("time source", value);
      events.time(value).ids(new MessageIds(value, new SecureRandom()));
      return this;
    }

    /**
     * Sets how this process calls itself in the table {@code outledger_status}; the default is its
     * process id and host. Two processes of one ledger need different names.
     *
     * @param value a name; checked by {@link #build()}
     */
    public Builder instance(String value) {
      instance = Given.check("name of the instance", value);
      return this;
    }

    /**
     * Finds out what database it is, checks the schema, and builds.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-003} to {@code OUT-005} where the
     *     schema is missing, older or newer, {@code OUT-006} where a name is not valid, {@code
     *     OUT-018} where the inbox's retention is not positive, {@code OUT-020} where the database
     *     is none of those supported, or the module that supports it is not on the class path,
     *     {@code OUT-021} listing every problem with the event types and limits
     * @throws io.outledger.StoreException {@code OUT-016} where the database cannot be reached
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
